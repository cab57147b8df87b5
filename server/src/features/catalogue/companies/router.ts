import { companyChange, companyFilter, companyInput } from '@garantia/shared/companies/schema'
import { byId, paging } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeCompany,
  createCompany,
  listActiveCompanies,
  listCompanies,
  readCompany,
  removeCompany,
  removeLogo,
} from './service.ts'

export const companiesRouter = router({
  list: signedIn.input(companyFilter).query(({ ctx: { ctx }, input }) => listCompanies(ctx, input)),
  active: signedIn.input(paging).query(({ ctx: { ctx }, input }) => listActiveCompanies(ctx, input)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readCompany(ctx, input.id)),
  open: signedIn.input(companyInput).mutation(({ ctx: { ctx }, input }) => createCompany(ctx, input)),
  change: signedIn
    .input(byId.extend({ change: companyChange }))
    .mutation(({ ctx: { ctx }, input }) => changeCompany(ctx, input.id, input.change)),
  removeLogo: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeLogo(ctx, input.id)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeCompany(ctx, input.id)),
})
