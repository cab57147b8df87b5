import { claimInput } from '@garantia/shared/claims/schema'
import { byId, id } from '@garantia/shared/fields'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import { claimsOfOrder, openClaim, readClaim } from './service.ts'

const ofOrder = z.object({ order_id: id })

export const claimsRouter = router({
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readClaim(ctx, input.id)),
  ofOrder: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => claimsOfOrder(ctx, input.order_id)),
  open: signedIn
    .input(claimInput.safeExtend(ofOrder.shape))
    .mutation(({ ctx: { ctx }, input: { order_id, ...claim } }) => openClaim(ctx, order_id, claim)),
})
