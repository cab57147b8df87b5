import { ofOrder } from '@garantia/shared/evidence/schema'
import { z } from 'zod'
import { endpoint } from '../../../http/rest.ts'
import { sendRange } from '../../../http/send.ts'
import { openPackage } from './service.ts'

export const packageEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/evidence/{order_id}/download-all',
      summary: 'Baixa o pacote da ordem em ZIP, convertido ou como foi enviado',
      media: 'application/zip',
      ranges: true,
      errors: ['conflict'],
      params: ofOrder,
      query: z.object({ originais: z.boolean().optional() }),
    },
    async (ctx, { params, query }, http) =>
      sendRange(await openPackage(ctx, params.order_id, query.originais), http),
  ),
]
