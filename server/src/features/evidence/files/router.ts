import { noncesInput } from '@garantia/shared/evidence/capture'
import { evidenceChange, evidenceChanges, ofOrder } from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeEvidence,
  changeManyEvidence,
  issueNonces,
  listEvidence,
  readChecklist,
  readEvidence,
  removeEvidence,
  restoreEvidence,
  validateEvidence,
} from './service.ts'

export const evidenceRouter = router({
  list: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => listEvidence(ctx, input.order_id)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readEvidence(ctx, input.id)),
  checklist: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => readChecklist(ctx, input.order_id)),
  validate: signedIn
    .input(ofOrder)
    .mutation(({ ctx: { ctx }, input }) => validateEvidence(ctx, input.order_id)),
  issueNonces: signedIn
    .input(ofOrder.extend(noncesInput.shape))
    .mutation(({ ctx: { ctx }, input }) => issueNonces(ctx, input.order_id, input.count)),
  change: signedIn
    .input(byId.extend({ change: evidenceChange }))
    .mutation(({ ctx: { ctx }, input }) => changeEvidence(ctx, input.id, input.change)),
  changeMany: signedIn
    .input(ofOrder.extend(evidenceChanges.shape))
    .mutation(({ ctx: { ctx }, input: { order_id, ...input } }) => changeManyEvidence(ctx, order_id, input)),
  restore: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => restoreEvidence(ctx, input.id)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeEvidence(ctx, input.id)),
})
