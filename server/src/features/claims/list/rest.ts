import { claimFilter } from '@garantia/shared/claims/criteria'
import { claimPage } from '@garantia/shared/claims/schema'
import { endpoint } from '../../../http/rest.ts'
import { listClaims } from './service.ts'

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
]
