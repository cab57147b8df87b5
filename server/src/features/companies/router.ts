import { paging } from '@garantia/shared/fields'
import { router, signedIn } from '../../http/trpc.ts'
import { listActiveCompanies } from './service.ts'

export const companiesRouter = router({
  active: signedIn.input(paging).query(({ ctx: { ctx }, input }) => listActiveCompanies(ctx, input)),
})
