import { orderExport } from '@garantia/shared/orders/bulk'
import { orderFilter, orderPage } from '@garantia/shared/orders/schema'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { originOf } from '../../../http/session.ts'
import { EXPORT_MIME } from './export.ts'
import { exportOrders, listOrders } from './service.ts'

export const orderListEndpoints = [
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
      method: 'GET',
      path: '/service-orders/export',
      summary: 'Exporta ordens de serviço em CSV ou XLSX',
      media: Object.values(EXPORT_MIME),
      errors: ['too_many'],
      query: orderExport,
    },
    async (ctx, { query }, http) => {
      const { body, ...file } = await exportOrders(ctx, query, originOf(http.request))
      return sendStream(http, body, file)
    },
  ),
]
