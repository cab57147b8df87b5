import { metricsFilter } from '@garantia/shared/orders/metrics'
import { router, signedIn } from '../../../http/trpc.ts'
import { readAttention, readMetrics, readRecentOrders } from './service.ts'

export const dashboardRouter = router({
  metrics: signedIn.input(metricsFilter).query(({ ctx: { ctx }, input }) => readMetrics(ctx, input)),
  attention: signedIn.query(({ ctx: { ctx } }) => readAttention(ctx)),
  recent: signedIn.query(({ ctx: { ctx } }) => readRecentOrders(ctx)),
})
