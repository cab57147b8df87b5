import { Readable } from 'node:stream'
import { byId, id } from '@garantia/shared/fields'
import { importView } from '@garantia/shared/orders/import'
import { z } from 'zod'
import { uploadParts } from '../../../http/multipart.ts'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { REPORT_MIME, receiveImport, reportImport } from './service.ts'

export const orderImportEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/service-orders/imports',
      summary: 'Recebe um arquivo CSV ou XLSX com ordens de serviço de uma empresa',
      errors: ['forbidden', 'not_found'],
      action: 'order.import',
      query: z.object({ company_id: id }),
      files: 'one',
      reply: importView,
      status: 201,
    },
    (ctx, { query }, { request }) => receiveImport(ctx, query.company_id, uploadParts(request)),
  ),
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
