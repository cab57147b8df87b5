import { metrics, metricsFilter } from '@garantia/shared/orders/metrics'
import { endpoint } from '../../../http/rest.ts'
import { readMetrics } from './service.ts'

export const dashboardEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/dashboard/metrics',
      summary: 'Calcula os números do painel, de um período ou de sempre',
      query: metricsFilter,
      reply: metrics,
    },
    (ctx, { query }) => readMetrics(ctx, query),
  ),
]
