import { amountOf, centsOf, sumOf } from '@garantia/shared/claims/money'
import type { RemittanceMapping } from '@garantia/shared/claims/remittance'
import type { RemittanceLine } from '@garantia/shared/claims/remittance-line'
import { claimName } from '@garantia/shared/claims/state'
import { payableOf, type Sums } from '@garantia/shared/claims/sums'
import { AppError, textOf } from '@garantia/shared/errors'
import { brl } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { type EventInput, recordEvent, recordEvents } from '../../../kernel/events.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { type ClaimLine, linesOf } from '../claim/service.ts'
import { divided, insertEntries, type NewEntry, settle } from '../entries/service.ts'
import { type JudgedLine, judge, linesOfFile } from './judging.ts'
import { failRemittance } from './keeping.ts'
import {
  candidatesFor,
  type FoundClaim,
  findWithRows,
  lockAll,
  lockRemittance,
  type RemittanceRow,
} from './queries.ts'

const NO_PERSON = 'Quem pediu a importação não tem mais acesso.'

/**
 * Books a remittance whose import was requested, for the person who did; the system calls it. All in one transaction,
 * so that a lost worker leaves nothing half done. Safe to run again: what was booked is not running any more.
 */
export async function bookRemittance(ctx: Ctx, id: number) {
  const found = await findWithRows(ctx, id)
  if (found.status !== 'running') return
  const person = await findActivePerson(ctx.db, found.user_id)
  if (!person || !can(person, 'remittance.import', found)) return failRemittance(ctx, id, NO_PERSON)
  try {
    const { lines, problems } = linesOfFile(found, found.mapping as RemittanceMapping)
    await inTransaction({ ...ctx, actor: person }, async (ctx) => {
      const remittance = await lockRemittance(ctx, id)
      if (remittance.status === 'running') await bookLines(ctx, remittance, lines, problems.length)
    })
  } catch (error) {
    // What was valid when the person asked for it may not be any more.
    if (error instanceof AppError) return failRemittance(ctx, id, textOf(error.detail))
    throw error
  }
}

/** As events name a remittance. */
export const nameOf = ({ id, number, filename }: Pick<RemittanceRow, 'id' | 'number' | 'filename'>) =>
  number ?? filename ?? `nº ${id}`

/**
 * Keeps the lines of a remittance that is locked, and books those that match, in a transaction of the caller. Lines
 * that repeat others are told apart by one import of the company at a time.
 */
export async function bookLines(
  ctx: Ctx,
  remittance: RemittanceRow,
  lines: readonly RemittanceLine[],
  refused = 0,
) {
  await sql`select pg_advisory_xact_lock(7201019, ${remittance.company_id}::int)`.execute(ctx.db)
  const candidates = await candidatesFor(ctx, remittance, lines)
  await lockAll(ctx, candidates)
  const ids = candidates.map(({ id }) => id)
  const { lines: judged, claims } = await judge(ctx, remittance, lines, ids)
  const numbers = await insertLines(ctx, remittance, judged)
  const matched = judged.filter(({ outcome }) => outcome === 'matched')
  const paid = [...new Set(matched.flatMap(({ claim_id }) => claim_id ?? []))]
  const entries = entriesOf(remittance, matched, numbers, await linesOf(ctx, paid))
  await insertEntries(ctx, entries)
  if (paid.length > 0) await settle(ctx, paid)
  await record(ctx, remittance, entries, claims)
  const now = ctx.clock()
  const total = sumOf(lines.map(({ amount }) => amount))
  await ctx.db
    .updateTable('remittances')
    .set({ status: 'done', lines: lines.length, progress: lines.length, refused, total })
    .set({ finished_at: now, updated_at: now })
    .where('id', '=', remittance.id)
    .execute()
  if (ctx.actor.kind === 'user')
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: ctx.actor.id,
      kind: 'remittance.booked',
      changes: {
        remittance: nameOf(remittance),
        sha256: remittance.sha256,
        company_id: remittance.company_id,
        lines: lines.length,
        matched: matched.length,
        total,
      },
    })
}

/** The ids of the lines by their number in the file. */
async function insertLines(ctx: Ctx, { id, company_id }: RemittanceRow, lines: readonly JudgedLine[]) {
  const { rows } = await sql<{ id: number; line: number }>`
    insert into remittance_lines (remittance_id, company_id, line, fingerprint, brand_number, os_number, chassis_end,
      document, amount, outcome, claim_id, expected, difference)
    select ${id}::bigint, ${company_id}::bigint, line, fingerprint, brand_number, os_number, chassis_end,
      document, amount, outcome, claim_id, expected, difference
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as given(line int, fingerprint text, brand_number text,
      os_number text, chassis_end text, document text, amount numeric, outcome text, claim_id bigint,
      expected numeric, difference text)
    returning id, line`.execute(ctx.db)
  return new Map(rows.map(({ id, line }) => [line, id]))
}

/**
 * The entries of lines that match: each payment divided over the lines of its claim, and what is missing of it within
 * the brand's tolerance written off.
 */
function entriesOf(
  { paid_on }: RemittanceRow,
  matched: readonly JudgedLine[],
  numbers: ReadonlyMap<number, number>,
  claimLines: readonly ClaimLine[],
): NewEntry[] {
  const booked_on = paid_on ?? ''
  const linesOfClaim = Map.groupBy(claimLines, ({ claim_id }) => claim_id)
  return [...Map.groupBy(matched, ({ claim_id }) => claim_id)].flatMap(([claim_id, paying]) => {
    let lines: ClaimLine[] = linesOfClaim.get(claim_id ?? 0) ?? []
    const entries = paying.flatMap(({ line, amount }) => {
      const payment = divided('payment', amount, lines, {
        booked_on,
        remittance_line_id: numbers.get(line) ?? null,
      })
      lines = lines.map((one) => paidWith(one, payment))
      return payment
    })
    const last = entries.at(-1)
    return last ? [...entries, ...restOf(lines, last)] : []
  })
}
const paidWith = (line: ClaimLine, payment: readonly NewEntry[]): ClaimLine => {
  const added = payment.find(({ line_id }) => line_id === line.id)?.amount ?? 0
  return { ...line, paid: sumOf([line.paid, added]) }
}
/** What a matched payment leaves of the authorised amount is within the tolerance. */
const restOf = (
  lines: readonly (ClaimLine & Sums)[],
  { booked_on, remittance_line_id }: NewEntry,
): NewEntry[] =>
  lines.flatMap((line) => {
    const amount = payableOf(line)
    const reason = `Diferença de ${brl(amount)} dentro da tolerância da marca`
    const { id: line_id, claim_id } = line
    return amount > 0
      ? [
          {
            claim_id,
            line_id,
            kind: 'write_off' as const,
            amount,
            booked_on,
            reason,
            remittance_line_id: remittance_line_id ?? null,
          },
        ]
      : []
  })

/** Events of one statement. */
const AT_ONCE = 500
async function record(
  ctx: Ctx,
  remittance: RemittanceRow,
  entries: readonly NewEntry[],
  claims: ReadonlyMap<number, FoundClaim>,
) {
  const sumsOf = (kind: NewEntry['kind']) => {
    const cents = new Map<number, number>()
    for (const entry of entries)
      if (entry.kind === kind)
        cents.set(entry.claim_id, (cents.get(entry.claim_id) ?? 0) + centsOf(entry.amount))
    return [...cents].flatMap(([claim_id, cents]) => {
      const claim = claims.get(claim_id)
      return claim ? [{ claim, amount: amountOf(cents) }] : []
    })
  }
  const common = (claim: FoundClaim) => ({
    claim: claimName(claim),
    booked_on: remittance.paid_on,
    remittance: nameOf(remittance),
  })
  const events: EventInput[] = [
    ...sumsOf('payment').map(({ claim, amount }) => ({
      subject: 'order' as const,
      subject_id: claim.order_id,
      kind: 'claim.paid',
      changes: { ...common(claim), amount },
    })),
    ...sumsOf('write_off').map(({ claim, amount }) => ({
      subject: 'order' as const,
      subject_id: claim.order_id,
      kind: 'claim.written_off',
      changes: { ...common(claim), amount, reason: 'Dentro da tolerância da marca' },
    })),
  ]
  for (let from = 0; from < events.length; from += AT_ONCE)
    await recordEvents(ctx, events.slice(from, from + AT_ONCE))
}
