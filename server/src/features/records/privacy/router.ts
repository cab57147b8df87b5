import { accessFilter } from '@garantia/shared/privacy/access'
import { router, signedIn } from '../../../http/trpc.ts'
import { readAccesses } from './service.ts'

export const privacyRouter = router({
  accesses: signedIn.input(accessFilter).query(({ ctx: { ctx }, input }) => readAccesses(ctx, input)),
})
