import {
  differenceFilter,
  differenceResolution,
  remittanceBooking,
  remittanceColumns,
  remittanceFilter,
  remittanceInput,
  remittanceReason,
  typedLines,
} from '@garantia/shared/claims/remittance'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  checkRemittance,
  checkTypedLines,
  listDifferences,
  listRemittances,
  readRemittance,
  resolveDifference,
  runRemittance,
  typeRemittance,
  undoRemittance,
} from './service.ts'

export const remittancesRouter = router({
  page: signedIn.input(remittanceFilter).query(({ ctx: { ctx }, input }) => listRemittances(ctx, input)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readRemittance(ctx, input.id)),
  type: signedIn.input(remittanceInput).mutation(({ ctx: { ctx }, input }) => typeRemittance(ctx, input)),
  checkTyped: signedIn.input(typedLines).mutation(({ ctx: { ctx }, input }) => checkTypedLines(ctx, input)),
  check: signedIn
    .input(remittanceColumns.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...columns } }) => checkRemittance(ctx, id, columns)),
  run: signedIn
    .input(remittanceBooking.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...booking } }) => runRemittance(ctx, id, booking)),
  undo: signedIn
    .input(remittanceReason.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...reason } }) => undoRemittance(ctx, id, reason)),
  differences: signedIn
    .input(differenceFilter)
    .query(({ ctx: { ctx }, input }) => listDifferences(ctx, input)),
  resolve: signedIn
    .input(differenceResolution.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...resolution } }) => resolveDifference(ctx, id, resolution)),
})
