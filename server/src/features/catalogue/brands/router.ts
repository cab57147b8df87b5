import { brandEdit } from '@garantia/shared/brands/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeBrand,
  initializeBrands,
  listBrands,
  readBrand,
  readBrandCompanies,
  readEvidenceRules,
} from './service.ts'

export const brandsRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listBrands(ctx)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readBrand(ctx, input.id)),
  companies: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readBrandCompanies(ctx, input.id)),
  evidenceRules: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readEvidenceRules(ctx, input.id)),
  change: signedIn.input(brandEdit).mutation(({ ctx: { ctx }, input }) => changeBrand(ctx, input)),
  initialize: signedIn.mutation(({ ctx: { ctx } }) => initializeBrands(ctx)),
})
