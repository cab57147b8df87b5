import { decisionInput } from '@garantia/shared/claims/answers'
import {
  creditNoteInput,
  debitInput,
  entryCorrection,
  paymentInput,
  writeOffInput,
} from '@garantia/shared/claims/entries'
import { claimReason } from '@garantia/shared/claims/schema'
import { byId } from '@garantia/shared/fields'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  answerClaim,
  correctEntry,
  debitClaim,
  payClaim,
  reconcileClaim,
  recordCreditNote,
  writeOffClaim,
} from './service.ts'

/** What happens to the money of a claim, and the answer that it may come with, among the procedures of claims. */
export const claimEntriesRouter = router({
  decide: signedIn
    .input(decisionInput.safeExtend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...decision } }) => answerClaim(ctx, id, decision)),
  creditNote: signedIn
    .input(creditNoteInput.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...note } }) => recordCreditNote(ctx, id, note)),
  pay: signedIn
    .input(paymentInput.safeExtend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...payment } }) => payClaim(ctx, id, payment)),
  debit: signedIn
    .input(debitInput.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...debit } }) => debitClaim(ctx, id, debit)),
  writeOff: signedIn
    .input(writeOffInput.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...writeOff } }) => writeOffClaim(ctx, id, writeOff)),
  correctEntry: signedIn
    .input(entryCorrection.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...correction } }) => correctEntry(ctx, id, correction)),
  reconcile: signedIn
    .input(claimReason.extend(byId.shape))
    .mutation(({ ctx: { ctx }, input: { id, ...reason } }) => reconcileClaim(ctx, id, reason)),
})
