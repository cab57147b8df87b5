import { bulkRemove, bulkResume, bulkStatus } from '@garantia/shared/orders/bulk'
import { orderListPosition, orderQuestion, recentOrders } from '@garantia/shared/orders/navigation'
import { orderFilter } from '@garantia/shared/orders/schema'
import { router, signedIn } from '../../../http/trpc.ts'
import { removeMany, resumeMany, setStatusOfMany } from './bulk.ts'
import { findOrders, listOrders, readableOrders, readNeighbours, summarizeOrders } from './service.ts'

const summaryFilter = orderFilter.pick({
  search: true,
  brand_id: true,
  company_id: true,
  conversion_status: true,
  min_days_open: true,
})

export const orderListRouter = router({
  page: signedIn.input(orderFilter).query(({ ctx: { ctx }, input }) => listOrders(ctx, input)),
  summary: signedIn.input(summaryFilter).query(({ ctx: { ctx }, input }) => summarizeOrders(ctx, input)),
  find: signedIn.input(orderQuestion).query(({ ctx: { ctx }, input }) => findOrders(ctx, input.search)),
  readable: signedIn.input(recentOrders).query(({ ctx: { ctx }, input }) => readableOrders(ctx, input.ids)),
  around: signedIn.input(orderListPosition).query(({ ctx: { ctx }, input }) => readNeighbours(ctx, input)),
  setStatus: signedIn.input(bulkStatus).mutation(({ ctx: { ctx }, input }) => setStatusOfMany(ctx, input)),
  resume: signedIn.input(bulkResume).mutation(({ ctx: { ctx }, input }) => resumeMany(ctx, input.ids)),
  remove: signedIn.input(bulkRemove).mutation(({ ctx: { ctx }, input }) => removeMany(ctx, input.ids)),
})
