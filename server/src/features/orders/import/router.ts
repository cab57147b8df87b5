import { byId } from '@garantia/shared/fields'
import { importCheck, importRun } from '@garantia/shared/orders/import'
import { invoiceFile } from '@garantia/shared/orders/prefill'
import { router, signedIn } from '../../../http/trpc.ts'
import { checkImport, readImport, readInvoice, runImport } from './service.ts'

export const orderImportsRouter = router({
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readImport(ctx, input.id)),
  check: signedIn.input(importCheck).mutation(({ ctx: { ctx }, input }) => checkImport(ctx, input)),
  invoice: signedIn.input(invoiceFile).mutation(({ ctx: { ctx }, input }) => readInvoice(ctx, input.xml)),
  run: signedIn.input(importRun).mutation(({ ctx: { ctx }, input }) => runImport(ctx, input)),
})
