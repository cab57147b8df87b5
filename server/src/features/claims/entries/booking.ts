import type { EntryKind } from '@garantia/shared/claims/entries'
import { amountOf, centsOf, splitCents } from '@garantia/shared/claims/money'
import { decidedState, moneyState } from '@garantia/shared/claims/steps'
import { payableOf, receivedOf, remainderOf, type Sums } from '@garantia/shared/claims/sums'
import { TIME_ZONE } from '@garantia/shared/format'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type ClaimLine, linesOf, noteDues } from '../claim/service.ts'

export interface NewEntry {
  claim_id: number
  line_id: number
  kind: EntryKind
  /** R$; negative in one that reverses another. */
  amount: number
  /** yyyy-mm-dd. */
  booked_on: string
  reason?: string | null
  remittance_line_id?: number | null
  corrects_id?: number | null
}

/** Adds entries to claims that are locked, in one statement; their states are noted by `settle`. */
export async function insertEntries(ctx: Ctx, entries: readonly NewEntry[]) {
  if (entries.length === 0) return
  const { actor } = ctx
  const user_id = actor.kind === 'user' ? actor.id : null
  const actor_name = actor.kind === 'user' ? actor.name : 'Sistema'
  await sql`
    insert into claim_entries (claim_id, line_id, kind, amount, booked_on, reason, remittance_line_id, corrects_id,
      user_id, actor_name, created_at)
    select claim_id, line_id, kind, amount, booked_on, reason, remittance_line_id, corrects_id,
      ${user_id}::bigint, ${actor_name}, ${ctx.clock()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry(claim_id bigint, line_id bigint,
      kind claim_entry_kind, amount numeric, booked_on date, reason text, remittance_line_id bigint,
      corrects_id bigint)`.execute(ctx.db)
}

/**
 * Notes the state of claims after their entries have changed: by what was paid and debited, else by what the brand
 * decided. `credited_at` is the day of the first payment in force; a payment that is dated before the claim was sent
 * counts from the sending, so that no claim takes less than no days. Ends their reconciliation.
 */
export async function settle(ctx: Ctx, claim_ids: readonly number[]) {
  const lines = Map.groupBy(await linesOf(ctx, claim_ids), ({ claim_id }) => claim_id)
  const states = [...lines].map(([id, lines]) => ({
    id,
    state: moneyState(
      decidedState(lines.map(({ claimed, authorised }) => ({ claimed, authorised: authorised ?? 0 }))),
      { paid: total(lines, 'paid'), debited: total(lines, 'debited') },
    ),
  }))
  const now = ctx.clock()
  await sql`
    update claims set state = settled.state, reconciled_at = null, version = version + 1, updated_at = ${now},
      credited_at = (
        select case when count(*) > 0
          then greatest(min(booked_on)::timestamp at time zone ${sql.lit(TIME_ZONE)}, claims.sent_at) end
        from claim_entries payment
        where payment.claim_id = claims.id and kind = 'payment' and corrects_id is null
          and not exists (select from claim_entries reversal where reversal.corrects_id = payment.id))
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as settled(id bigint, state claim_state)
    where claims.id = settled.id`.execute(ctx.db)
  await noteDues(ctx, claim_ids)
}
const total = (lines: readonly ClaimLine[], name: 'paid' | 'debited') =>
  amountOf(lines.reduce((sum, line) => sum + centsOf(line[name]), 0))

type Line = Pick<ClaimLine, 'id' | 'claim_id'> & Sums
/** How an amount of a claim is divided over its lines: in proportion to what each can still take of it. */
const WEIGHT = {
  payment: payableOf,
  debit: receivedOf,
  write_off: remainderOf,
} satisfies Record<Exclude<EntryKind, 'carry'>, (line: Line) => number>

/** The entries of an amount in R$ that is divided over the lines of a claim; parts of R$ 0,00 are left out. */
export const divided = (
  kind: keyof typeof WEIGHT,
  amount: number,
  lines: readonly Line[],
  entry: Omit<NewEntry, 'claim_id' | 'line_id' | 'kind' | 'amount'>,
): NewEntry[] => {
  const weights = lines.map((line) => Math.max(0, centsOf(WEIGHT[kind](line))))
  return splitCents(centsOf(amount), weights).flatMap((cents, index) => {
    const line = lines[index]
    return line && cents > 0
      ? [{ ...entry, claim_id: line.claim_id, line_id: line.id, kind, amount: amountOf(cents) }]
      : []
  })
}
