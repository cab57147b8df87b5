import { partChange, partReturns, partReturnView } from '@garantia/shared/claims/parts'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { changePart, partsOfClaim } from './service.ts'

export const partEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/claims/{id}/parts',
      summary: 'Lista as peças substituídas da solicitação, com o que a NF da devolução precisa',
      params: byId,
      reply: partReturns,
    },
    (ctx, { params }) => partsOfClaim(ctx, params.id),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: '/parts/{id}',
      summary: 'Muda lugar, prazo e devolução de uma peça substituída',
      example: { state: 'sent', sent_on: '2026-11-20', invoice_number: '4711', carrier: 'Transportes Sul' },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'part.change',
      body: partChange.omit({ id: true }),
      reply: partReturnView,
    },
    (ctx, { params, body }) => changePart(ctx, { id: params.id, ...body }),
  ),
]
