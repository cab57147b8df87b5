import { byId } from '@garantia/shared/fields'
import { bulkAssign, bulkRemove, bulkResume, bulkStatus } from '@garantia/shared/orders/bulk'
import { orderFilter } from '@garantia/shared/orders/criteria'
import { orderListPosition, orderQuestion, recentOrders } from '@garantia/shared/orders/navigation'
import { REASON_TO_ACCEPT, saysWhyAccepted } from '@garantia/shared/orders/problems'
import { router, signedIn } from '../../../http/trpc.ts'
import { readWorkload } from '../order/service.ts'
import { assignMany } from './assignment.ts'
import { removeMany, resumeMany, setStatusOfMany } from './bulk.ts'
import { findOrders, readableOrders, readList, readNeighbours, readRelated, recordPrint } from './service.ts'

export const orderListRouter = router({
  page: signedIn.input(orderFilter).query(({ ctx: { ctx }, input }) => readList(ctx, input)),
  workload: signedIn.query(({ ctx: { ctx } }) => readWorkload(ctx)),
  find: signedIn.input(orderQuestion).query(({ ctx: { ctx }, input }) => findOrders(ctx, input.search)),
  readable: signedIn.input(recentOrders).query(({ ctx: { ctx }, input }) => readableOrders(ctx, input.ids)),
  around: signedIn.input(orderListPosition).query(({ ctx: { ctx }, input }) => readNeighbours(ctx, input)),
  related: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readRelated(ctx, input.id)),
  recordPrint: signedIn.input(orderFilter).mutation(({ ctx: { ctx }, input }) => recordPrint(ctx, input)),
  setStatus: signedIn
    .input(bulkStatus.refine(saysWhyAccepted, { path: ['reason'], error: REASON_TO_ACCEPT }))
    .mutation(({ ctx: { ctx }, input }) => setStatusOfMany(ctx, input)),
  assign: signedIn.input(bulkAssign).mutation(({ ctx: { ctx }, input }) => assignMany(ctx, input)),
  resume: signedIn.input(bulkResume).mutation(({ ctx: { ctx }, input }) => resumeMany(ctx, input.ids)),
  remove: signedIn.input(bulkRemove).mutation(({ ctx: { ctx }, input }) => removeMany(ctx, input.ids)),
})
