import { answersFilter, receivableFilter } from '@garantia/shared/claims/reports'
import { router, signedIn } from '../../../http/trpc.ts'
import { readAnswers, readReceivable } from './service.ts'

export const claimReportsRouter = router({
  receivable: signedIn.input(receivableFilter).query(({ ctx: { ctx }, input }) => readReceivable(ctx, input)),
  answers: signedIn.input(answersFilter).query(({ ctx: { ctx }, input }) => readAnswers(ctx, input)),
})
