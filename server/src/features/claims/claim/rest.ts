import { claimInput, claimView, orderClaims } from '@garantia/shared/claims/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { claimsOfOrder, openClaim, readClaim } from './service.ts'

const ofOrder = '/service-orders/{id}/claims'

export const claimEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: ofOrder,
      summary: 'Lista as solicitações de garantia da ordem',
      params: byId,
      reply: orderClaims,
    },
    (ctx, { params }) => claimsOfOrder(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: ofOrder,
      summary: 'Abre uma solicitação de garantia, como rascunho',
      example: {
        type: 'normal',
        lines: [
          {
            kind: 'part',
            description: 'Módulo ABS',
            part_number: '5Q0614517',
            quantity: 1,
            is_causal: true,
            claimed: 1890.5,
          },
          { kind: 'labour', description: 'Troca do módulo', labour_code: '4512', hours: 1.5, claimed: 285 },
        ],
      },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.open',
      body: claimInput,
      reply: claimView,
    },
    (ctx, { params, body }) => openClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/claims/{id}',
      summary: 'Mostra uma solicitação de garantia',
      params: byId,
      reply: claimView,
    },
    (ctx, { params }) => readClaim(ctx, params.id),
  ),
]
