import type { DecisionInput } from '@garantia/shared/claims/answers'
import type {
  CreditNoteInput,
  DebitInput,
  EntryCorrection,
  EntryKind,
  PaymentInput,
  WriteOffInput,
} from '@garantia/shared/claims/entries'
import { centsOf, sumOf } from '@garantia/shared/claims/money'
import { STEP_ACTION } from '@garantia/shared/claims/permitted'
import type { ClaimReason, ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { type ClaimStep, stepRefusal } from '@garantia/shared/claims/steps'
import { ABOVE_LIMIT, passesLimit, receivedOf, remainderOf } from '@garantia/shared/claims/sums'
import { conflict, forbidden, invalid } from '@garantia/shared/errors'
import { brl, isoDay } from '@garantia/shared/format'
import { authorize, authorizeSome, can } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import {
  type Claim,
  type ClaimLine,
  contestedOf,
  decideClaim,
  linesOf,
  lockedClaim,
  noteDue,
  readClaim,
  writeStep,
} from '../claim/service.ts'
import { divided, insertEntries, type NewEntry, settle } from './booking.ts'

export { divided, insertEntries, type NewEntry, settle } from './booking.ts'

interface Step {
  claim: Claim
  lines: ClaimLine[]
  name: string
}
/**
 * A step with the money of a claim, under its lock. 404 outside the caller's scope; 403 without permission; 409 in a
 * state that does not allow it, or when the claim is not in the version that the caller has seen.
 */
async function inStep(
  ctx: Ctx,
  id: number,
  step: ClaimStep & keyof typeof STEP_ACTION,
  version: number | undefined,
  work: (ctx: Ctx, found: Step) => Promise<void>,
): Promise<ClaimView> {
  authorizeSome(ctx.actor, STEP_ACTION[step])
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, STEP_ACTION[step], claim)
    if (version !== undefined && version !== claim.version)
      throw conflict('Esta solicitação foi alterada enquanto você trabalhava nela. Veja como está agora.')
    const refusal = stepRefusal(claim, step)
    if (refusal) throw conflict(refusal)
    const name = claimName({ os_number: order.os_number, n: claim.n })
    await work(ctx, { claim, lines: await linesOf(ctx, [id]), name })
    return readClaim(ctx, id)
  })
}

/**
 * Enters what the brand paid, by line or as one amount that is divided over the lines. 404, 403 and 409 as every step;
 * 422 for a line of another claim, or a day in the future.
 */
export const payClaim = (ctx: Ctx, id: number, payment: PaymentInput) =>
  inStep(ctx, id, 'pay', payment.version, async (ctx, { claim, lines, name }) => {
    const { booked_on } = payment
    assertPast(ctx, booked_on, 'booked_on')
    const entries = payment.lines
      ? entriesOf('payment', lines, payment.lines, { booked_on })
      : divided('payment', payment.amount ?? 0, lines, { booked_on })
    await insertEntries(ctx, entries)
    await settle(ctx, [id])
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.paid',
      changes: { claim: name, amount: amountOf(entries), booked_on },
    })
  })

/**
 * Notes the day of the brand's credit note, from which the days of an appeal or of the parts may run, or that there is
 * none. 404, 403 and 409 as every step; 422 for a day in the future or before the claim was sent.
 */
export const recordCreditNote = (ctx: Ctx, id: number, { credit_note_on, version }: CreditNoteInput) =>
  inStep(ctx, id, 'credit_note', version, async (ctx, { claim, name }) => {
    if (credit_note_on !== null) {
      assertPast(ctx, credit_note_on, 'credit_note_on')
      if (claim.sent_at && credit_note_on < isoDay(claim.sent_at))
        throw invalid('A data é anterior ao envio', 'credit_note_on')
    }
    await writeStep(ctx, id, { credit_note_on })
    await noteDue(ctx, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.credit_note',
      changes: { claim: name, credit_note_on },
    })
  })

/**
 * Records what the brand says, and what it paid with its decision, as two steps of one transaction: both or none. 404,
 * 403, 409 and 422 as `decideClaim` and `payClaim`.
 */
export async function answerClaim(
  ctx: Ctx,
  id: number,
  { payment, ...decision }: DecisionInput,
): Promise<ClaimView> {
  if (!payment) return decideClaim(ctx, id, decision)
  authorizeSome(ctx.actor, 'claim.pay')
  assertPast(ctx, payment.booked_on, 'payment', 'booked_on')
  return inTransaction(ctx, async (ctx) => {
    await decideClaim(ctx, id, decision)
    return payClaim(ctx, id, payment)
  })
}

/**
 * Enters what the brand took back of what it had paid, by line. 404, 403 and 409 as every step; 422 for a line of
 * another claim, more than was received of a line, or a day in the future.
 */
export const debitClaim = (ctx: Ctx, id: number, debit: DebitInput) =>
  inStep(ctx, id, 'debit', debit.version, async (ctx, { claim, lines, name }) => {
    const { booked_on, reason } = debit
    assertPast(ctx, booked_on, 'booked_on')
    assertAtMost(lines, debit.lines, receivedOf, 'O estorno passa do que foi pago deste item')
    const entries = entriesOf('debit', lines, debit.lines, { booked_on, reason })
    await insertEntries(ctx, entries)
    await settle(ctx, [id])
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.debited',
      changes: { claim: name, amount: amountOf(entries), booked_on, reason },
    })
  })

/**
 * Gives up what is missing, by line. 404 and 409 as every step; 403 also above the company's limit, which is one of
 * all write-offs of the claim, unless the caller is an administrator; 422 for a line of another claim, or more than
 * is missing of one.
 */
export const writeOffClaim = (ctx: Ctx, id: number, writeOff: WriteOffInput) =>
  inStep(ctx, id, 'write_off', writeOff.version, async (ctx, { claim, lines, name }) => {
    const { reason } = writeOff
    assertAtMost(lines, writeOff.lines, remainderOf, 'A baixa passa do que falta deste item')
    const entries = entriesOf('write_off', lines, writeOff.lines, { booked_on: isoDay(ctx.clock()), reason })
    await assertWithinLimit(ctx, claim, amountOf(entries))
    await insertEntries(ctx, entries)
    await settle(ctx, [id])
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.written_off',
      changes: { claim: name, amount: amountOf(entries), reason },
    })
  })

/**
 * Reverses an entry whole, by one of the negative amount. 404 and 403 as every step; 409 also for an entry that was
 * reversed, reverses another, belongs to an appeal, or is a payment below a debit; 422 for one of another claim.
 */
export const correctEntry = (ctx: Ctx, id: number, { entry_id, reason, version }: EntryCorrection) =>
  inStep(ctx, id, 'correct_entry', version, async (ctx, { claim, lines, name }) => {
    const entry = await ctx.db
      .selectFrom('claim_entries')
      .leftJoin('claim_entries as reversal', 'reversal.corrects_id', 'claim_entries.id')
      .where('claim_entries.id', '=', entry_id)
      .where('claim_entries.claim_id', '=', id)
      .selectAll('claim_entries')
      .select(['reversal.id as reversal_id', sql<string>`claim_entries.booked_on::text`.as('booked_on')])
      .executeTakeFirst()
    if (!entry) throw invalid('Escolha um lançamento desta solicitação', 'entry_id')
    const { kind, line_id, amount, booked_on } = entry
    if (entry.corrects_id !== null) throw conflict('Uma correção não é corrigida: lance o valor certo.')
    if (entry.reversal_id !== null) throw conflict('Este lançamento já foi corrigido.')
    if (kind === 'carry') throw conflict('Este valor foi levado à reconsideração: retire a reconsideração.')
    const line = lines.find((one) => one.id === line_id)
    if (kind === 'payment' && line && centsOf(receivedOf(line)) < centsOf(amount))
      throw conflict('Parte deste pagamento foi estornada: corrija antes o estorno.')
    // What a sent appeal contests of it is expected there, and would be twice.
    const contested = (await contestedOf(ctx, id)).get(line_id) ?? 0
    if (
      kind === 'debit' &&
      line &&
      centsOf(line.debited) - centsOf(amount) < centsOf(contested) - centsOf(line.carried)
    )
      throw conflict('Este estorno é contestado por uma reconsideração: retire-a antes.')
    await insertEntries(ctx, [
      { claim_id: id, line_id, kind, amount: -amount, booked_on, reason, corrects_id: entry_id },
    ])
    await settle(ctx, [id])
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.corrected',
      changes: { claim: name, entry: kind, amount, booked_on, reason },
    })
  })

/** Closes a claim of which nothing more is expected. 404, 403 and 409 as every step. */
export const reconcileClaim = (ctx: Ctx, id: number, { reason }: ClaimReason) =>
  inStep(ctx, id, 'reconcile', undefined, async (ctx, { claim, name }) => {
    const now = ctx.clock()
    await ctx.db
      .updateTable('claims')
      .set({ state: 'reconciled', reconciled_at: now, version: claim.version + 1, updated_at: now })
      .set({ due_kind: null, due_on: null, due_awaits: null })
      .where('id', '=', id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: claim.order_id,
      kind: 'claim.reconciled',
      changes: { claim: name, paid: claim.paid, written_off: claim.written_off, reason },
    })
  })

/** 403 when the write-offs of the claim, with this one, pass its company's limit and the caller may not pass it. */
export async function assertWithinLimit(
  ctx: Ctx,
  { company_id, written_off }: Pick<Claim, 'company_id' | 'written_off'>,
  added: number,
) {
  if (can(ctx.actor, 'claim.write-off-above', { company_id })) return
  const { write_off_limit } = await ctx.db
    .selectFrom('companies')
    .where('id', '=', company_id)
    .select('write_off_limit')
    .executeTakeFirstOrThrow()
  if (passesLimit(write_off_limit, written_off, added)) throw forbidden(ABOVE_LIMIT)
}

/** 422 for a day that has not come in São Paulo. */
export function assertPast(ctx: Ctx, day: string, ...field: string[]) {
  if (day > isoDay(ctx.clock())) throw invalid('A data não pode estar no futuro', ...field)
}

type Given = readonly { line_id: number; amount: number }[]
function entriesOf(
  kind: EntryKind,
  lines: readonly ClaimLine[],
  given: Given,
  entry: Pick<NewEntry, 'booked_on' | 'reason'>,
): NewEntry[] {
  const known = new Map(lines.map((line) => [line.id, line]))
  return given.map(({ line_id, amount }, index) => {
    const line = known.get(line_id)
    if (!line) throw invalid('Escolha um item desta solicitação', 'lines', index, 'line_id')
    return { ...entry, claim_id: line.claim_id, line_id, kind, amount }
  })
}

function assertAtMost(
  lines: readonly ClaimLine[],
  given: Given,
  most: (line: ClaimLine) => number,
  message: string,
) {
  for (const [index, { line_id, amount }] of given.entries()) {
    const line = lines.find(({ id }) => id === line_id)
    if (line && centsOf(amount) > centsOf(most(line)))
      throw invalid(`${message}: ${brl(Math.max(0, most(line)))}`, 'lines', index, 'amount')
  }
}

const amountOf = (entries: readonly NewEntry[]) => sumOf(entries.map(({ amount }) => amount))
