import { bulkDecision, bulkSubmission } from '@garantia/shared/claims/bulk'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { router, signedIn } from '../../../http/trpc.ts'
import { decideMany, listClaims, submitMany } from './service.ts'

export const claimListRouter = router({
  page: signedIn.input(claimFilter).query(({ ctx: { ctx }, input }) => listClaims(ctx, input)),
  submitMany: signedIn.input(bulkSubmission).mutation(({ ctx: { ctx }, input }) => submitMany(ctx, input)),
  decideMany: signedIn.input(bulkDecision).mutation(({ ctx: { ctx }, input }) => decideMany(ctx, input)),
})
