import { orderExport } from '@garantia/shared/orders/bulk'
import { orderListQuery } from '@garantia/shared/orders/criteria'
import { orderPage } from '@garantia/shared/orders/schema'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { originOf } from '../../../http/session.ts'
import { exportOrders, listWithTotal } from './service.ts'
import { EXPORT_MIME } from './sheet.ts'

export const orderListEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders',
      summary: 'Lista ordens de serviço',
      query: orderListQuery,
      reply: orderPage,
    },
    // Fastify makes the signal when it is asked for, and aborts it at the end of each such call.
    (ctx, { query }, { request }) =>
      listWithTotal(ctx, query, query.exact_total ? request.signal : undefined),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/export',
      summary: 'Exporta ordens de serviço em CSV ou XLSX',
      media: Object.values(EXPORT_MIME),
      errors: ['forbidden', 'too_many'],
      query: orderExport,
    },
    async (ctx, { query }, http) => {
      const { body, ...file } = await exportOrders(ctx, query, originOf(http.request))
      return sendStream(http, body, file)
    },
  ),
]
