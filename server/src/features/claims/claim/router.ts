import { decisionCorrection, submissionInput } from '@garantia/shared/claims/answers'
import { appealInput, claimEdit, claimInput, claimReason } from '@garantia/shared/claims/schema'
import { byId, id } from '@garantia/shared/fields'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  appealClaim,
  changeClaim,
  claimsOfOrder,
  correctDecision,
  differenceSince,
  openClaim,
  readClaim,
  resendMail,
  submitClaim,
  withdrawClaim,
} from './service.ts'

const ofOrder = z.object({ order_id: id })

export const claimsRouter = router({
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readClaim(ctx, input.id)),
  ofOrder: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => claimsOfOrder(ctx, input.order_id)),
  difference: signedIn.input(byId).query(({ ctx: { ctx }, input }) => differenceSince(ctx, input.id)),
  open: signedIn
    .input(claimInput.safeExtend(ofOrder.shape))
    .mutation(({ ctx: { ctx }, input: { order_id, ...claim } }) => openClaim(ctx, order_id, claim)),
  appeal: signedIn
    .input(appealInput.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...appeal } }) => appealClaim(ctx, id, appeal)),
  change: signedIn.input(claimEdit).mutation(({ ctx: { ctx }, input }) => changeClaim(ctx, input)),
  submit: signedIn
    .input(submissionInput.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...sending } }) => submitClaim(ctx, id, sending)),
  resendMail: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => resendMail(ctx, input.id)),
  correctDecision: signedIn
    .input(decisionCorrection.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...decision } }) => correctDecision(ctx, id, decision)),
  withdraw: signedIn
    .input(claimReason.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...why } }) => withdrawClaim(ctx, id, why)),
})
