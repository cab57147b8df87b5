import { ofOrder } from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../http/trpc.ts'
import { listEvidence, removeEvidence } from './service.ts'

export const evidenceRouter = router({
  list: signedIn.input(ofOrder).query(({ ctx: { ctx }, input }) => listEvidence(ctx, input.order_id)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeEvidence(ctx, input.id)),
})
