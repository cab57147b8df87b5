import { byId } from '@garantia/shared/fields'
import { orderFilter, orderInput, orderPage, orderView } from '@garantia/shared/orders/schema'
import { endpoint } from '../../http/rest.ts'
import { listOrders, openOrder, readOrder } from './service.ts'

export const orderEndpoints = [
  endpoint(
    { method: 'GET', path: '/service-orders', query: orderFilter, reply: orderPage },
    (ctx, { query }) => listOrders(ctx, query, true),
  ),
  endpoint({ method: 'POST', path: '/service-orders', body: orderInput, reply: orderView }, (ctx, { body }) =>
    openOrder(ctx, body),
  ),
  endpoint(
    { method: 'GET', path: '/service-orders/{id}', params: byId, reply: orderView },
    (ctx, { params }) => readOrder(ctx, params.id),
  ),
]
