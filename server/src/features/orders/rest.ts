import { byId } from '@garantia/shared/fields'
import { orderFilter, orderInput, orderPage, orderView } from '@garantia/shared/orders/schema'
import { endpoint } from '../../http/rest.ts'
import { listOrders, openOrder, readOrder } from './service.ts'

export const orderEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders',
      summary: 'Lista ordens de serviço',
      query: orderFilter,
      reply: orderPage,
    },
    (ctx, { query }) => listOrders(ctx, query, true),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/service-orders',
      summary: 'Abre uma ordem de serviço',
      example: {
        os_number: '000123',
        brand_id: 1,
        company_id: 1,
        vehicle_plate: 'ABC1D23',
        service_value: 350.5,
      },
      errors: ['conflict'],
      body: orderInput,
      reply: orderView,
    },
    (ctx, { body }) => openOrder(ctx, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/{id}',
      summary: 'Mostra uma ordem de serviço',
      params: byId,
      reply: orderView,
    },
    (ctx, { params }) => readOrder(ctx, params.id),
  ),
]
