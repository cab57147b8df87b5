import { bulkAction, bulkResult, orderExport, orderFilter, orderPage } from '@garantia/shared/orders/schema'
import { endpoint } from '../../http/rest.ts'
import { sendStream } from '../../http/send.ts'
import { originOf } from '../../http/session.ts'
import { actOnMany, exportOrders, listOrders } from './service.ts'

export const orderListEndpoints = [
  endpoint(
    { method: 'GET', path: '/service-orders', query: orderFilter, reply: orderPage },
    (ctx, { query }) => listOrders(ctx, query, true),
  ),
  endpoint(
    { method: 'GET', path: '/service-orders/export', query: orderExport },
    async (ctx, { query }, http) => {
      const { body, ...file } = await exportOrders(ctx, query, originOf(http.request))
      return sendStream(http, body, file)
    },
  ),
  endpoint(
    { method: 'POST', path: '/service-orders/bulk', body: bulkAction, reply: bulkResult },
    (ctx, { body }) => actOnMany(ctx, { ...body, accepts_problems: body.accepts_problems ?? true }),
  ),
]
