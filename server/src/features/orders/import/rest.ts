import { Readable } from 'node:stream'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { REPORT_MIME, reportImport } from './service.ts'

export const orderImportEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/imports/{id}/report',
      summary: 'Baixa em CSV o que está errado em cada linha de uma importação',
      media: REPORT_MIME,
      errors: ['forbidden', 'conflict'],
      action: 'order.import',
      params: byId,
    },
    async (ctx, { params }, http) => {
      const { body, ...file } = await reportImport(ctx, params.id)
      return sendStream(http, Readable.from([body]), file)
    },
  ),
]
