import { brandImport } from '@garantia/shared/brands/file'
import { brandEdit, brandInput } from '@garantia/shared/brands/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeBrand,
  importBrands,
  initializeBrands,
  listBrands,
  openBrand,
  readBrand,
  readBrandCompanies,
  readBrandUse,
  readEvidenceRules,
} from './service.ts'

export const brandsRouter = router({
  list: signedIn.query(({ ctx: { ctx } }) => listBrands(ctx)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readBrand(ctx, input.id)),
  companies: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readBrandCompanies(ctx, input.id)),
  evidenceRules: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readEvidenceRules(ctx, input.id)),
  use: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readBrandUse(ctx, input.id)),
  open: signedIn.input(brandInput).mutation(({ ctx: { ctx }, input }) => openBrand(ctx, input)),
  import: signedIn.input(brandImport).mutation(({ ctx: { ctx }, input }) => importBrands(ctx, input)),
  change: signedIn.input(brandEdit).mutation(({ ctx: { ctx }, input }) => changeBrand(ctx, input)),
  initialize: signedIn.mutation(({ ctx: { ctx } }) => initializeBrands(ctx)),
})
