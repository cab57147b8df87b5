import { claimFilter } from '@garantia/shared/claims/criteria'
import { router, signedIn } from '../../../http/trpc.ts'
import { listClaims } from './service.ts'

export const claimListRouter = router({
  page: signedIn.input(claimFilter).query(({ ctx: { ctx }, input }) => listClaims(ctx, input)),
})
