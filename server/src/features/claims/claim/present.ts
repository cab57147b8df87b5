import { permittedSteps } from '@garantia/shared/claims/permitted'
import type { ClaimRow, ClaimView } from '@garantia/shared/claims/schema'
import { calendarDaysBetween } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import {
  type ClaimLine,
  decisionsOf,
  entriesOf,
  type ListedClaim,
  linesOf,
  submissionsOf,
} from './queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** A claim as a row of the list. */
export const presentRow = (row: ListedClaim, now: Date): ClaimRow => ({
  id: row.id,
  order_id: row.order_id,
  os_number: row.os_number,
  n: row.n,
  type: row.type,
  state: row.state,
  previous_id: row.previous_id,
  brand_number: row.brand_number,
  brand_id: row.brand_id,
  brand: { id: row.brand_id, display_name: row.display_name },
  company_id: row.company_id,
  company: { id: row.company_id, trading_name: row.trading_name },
  claimed: row.claimed,
  authorised: row.authorised,
  paid: row.paid,
  debited: row.debited,
  written_off: row.written_off,
  carried: row.carried,
  open_amount: row.open_amount,
  sent_at: iso(row.sent_at),
  answered_at: iso(row.answered_at),
  age_days: row.sent_at && Math.max(0, calendarDaysBetween(row.sent_at, now)),
  due_on: row.due_on,
  due_kind: row.due_kind,
  due_awaits: row.due_awaits as ClaimRow['due_awaits'],
  credit_note_on: row.credit_note_on,
  mail_failed_at: iso(row.mail_failed_at),
  created_at: row.created_at.toISOString(),
  version: row.version,
})

const presentLine = ({ claim_id: _, previous_id, ...line }: ClaimLine) => ({
  ...line,
  previous_line_id: previous_id,
})

/** Claims with everything that their page shows, read in four statements for all. */
export async function presentClaims(ctx: Ctx, rows: readonly ListedClaim[]): Promise<ClaimView[]> {
  const ids = rows.map(({ id }) => id)
  const [lines, submissions, decisions, entries] = [
    await linesOf(ctx, ids),
    await submissionsOf(ctx, ids),
    await decisionsOf(ctx, ids),
    await entriesOf(ctx, ids),
  ]
  const of = <One extends { claim_id: number }>(all: readonly One[], id: number) =>
    all.filter(({ claim_id }) => claim_id === id)
  const now = ctx.clock()
  return rows.map((row) => ({
    ...presentRow(row, now),
    note: row.note,
    created_by: row.created_by,
    actor_name: row.actor_name,
    lines: of(lines, row.id).map(presentLine),
    submissions: of(submissions, row.id).map((one) => ({
      id: one.id,
      n: one.n,
      channel: one.channel as ClaimView['submissions'][number]['channel'],
      address: one.address,
      brand_number: one.brand_number,
      dossier_n: one.dossier_n,
      note: one.note,
      mail: one.mail_id === null ? null : { sent_at: iso(one.mail_sent_at), error: one.mail_error },
      sent_at: one.sent_at.toISOString(),
      actor_name: one.actor_name,
    })),
    decisions: of(decisions, row.id).map((one) => ({
      id: one.id,
      n: one.n,
      outcome: one.outcome as ClaimView['decisions'][number]['outcome'],
      decided_at: one.decided_at.toISOString(),
      brand_code: one.brand_code,
      brand_words: one.brand_words,
      corrects_id: one.corrects_id,
      reason: one.reason,
      actor_name: one.actor_name,
      lines: one.lines,
    })),
    entries: of(entries, row.id).map((one) => ({
      id: one.id,
      line_id: one.line_id,
      kind: one.kind,
      amount: one.amount,
      booked_on: one.booked_on,
      reason: one.reason,
      remittance_id: one.remittance_id,
      corrects_id: one.corrects_id,
      actor_name: one.actor_name,
      created_at: one.created_at.toISOString(),
    })),
    steps: permittedSteps(ctx.actor, row),
  }))
}
