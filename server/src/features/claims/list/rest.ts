import { claimBulk, claimExport } from '@garantia/shared/claims/bulk'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { claimPage } from '@garantia/shared/claims/schema'
import { bulkResult } from '@garantia/shared/orders/bulk'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { originOf } from '../../../http/session.ts'
import { EXPORT_MIME } from '../../orders/list/service.ts'
import { exportClaims, listClaims, runClaimBulk } from './service.ts'

export const claimListEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/claims',
      summary: 'Lista solicitações de garantia',
      query: claimFilter,
      reply: claimPage,
    },
    (ctx, { query }) => listClaims(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/claims/export',
      summary: 'Exporta solicitações de garantia em CSV ou XLSX',
      media: Object.values(EXPORT_MIME),
      errors: ['too_many'],
      query: claimExport,
    },
    async (ctx, { query }, http) => {
      const { body, ...file } = await exportClaims(ctx, query, originOf(http.request))
      return sendStream(http, body, file)
    },
  ),
  endpoint(
    {
      method: 'POST',
      path: '/claims/bulk',
      summary: 'Registra o envio ou a resposta de várias solicitações de uma marca',
      example: { action: 'submit', ids: [1, 2], channel: 'portal' },
      errors: ['forbidden'],
      action: 'claim.send',
      body: claimBulk,
      reply: bulkResult,
    },
    (ctx, { body }) => runClaimBulk(ctx, body),
  ),
]
