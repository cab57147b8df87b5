import { legalClockView } from '@garantia/shared/claims/visits'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { readLegalClock } from './service.ts'

export const deadlineEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/{id}/legal-clock',
      summary: 'Mostra o prazo legal do reparo, com todas as visitas do mesmo defeito',
      params: byId,
      reply: legalClockView,
    },
    (ctx, { params }) => readLegalClock(ctx, params.id),
  ),
]
