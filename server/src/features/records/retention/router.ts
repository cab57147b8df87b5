import { byId } from '@garantia/shared/fields'
import { holdInput } from '@garantia/shared/orders/hold'
import { router, signedIn } from '../../../http/trpc.ts'
import { holdOrder, readHold, releaseOrder } from './service.ts'

export const retentionRouter = router({
  holdOf: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readHold(ctx, input.id)),
  hold: signedIn
    .input(holdInput)
    .mutation(({ ctx: { ctx }, input }) => holdOrder(ctx, input.id, input.reason)),
  release: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => releaseOrder(ctx, input.id)),
})
