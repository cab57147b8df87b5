import { metricsFilter } from '@garantia/shared/orders/metrics'
import { router, signedIn } from '../../../http/trpc.ts'
import { readMetrics, readRecentOrders } from './service.ts'

export const dashboardRouter = router({
  metrics: signedIn.input(metricsFilter).query(({ ctx: { ctx }, input }) => readMetrics(ctx, input)),
  recent: signedIn.query(({ ctx: { ctx } }) => readRecentOrders(ctx)),
})
