import { z } from 'zod'
import { id, paging } from '../fields.ts'
import { daysBefore } from '../format.ts'
import { chosenFrom, chosenIds } from '../orders/criteria.ts'
import { day } from '../orders/metrics.ts'
import { DUE_KINDS, type DueKind } from './due-kinds.ts'
import type { ClaimState } from './state.ts'
import { isSettled, type Sums } from './sums.ts'

const days = z
  .number('Use um número inteiro')
  .int('Use um número inteiro')
  .min(1, 'No mínimo 1')
  .max(3650, 'No máximo 3.650')
  .nullable()

/** A brand's windows in days; null for none. */
export const claimWindows = z.object({
  /** From the end of the repair to the first sending. */
  claim_send_days: days,
  /** From a return to the new sending. */
  claim_return_days: days,
  /** From a refusal to its appeal. */
  claim_appeal_days: days,
  /** How long a replaced part is kept, from the first sending. */
  claim_part_days: days,
  /** From a sending to the expected answer. */
  claim_answer_days: days,
  /** From the acceptance to the expected credit. */
  claim_credit_days: days,
})
export type ClaimWindows = z.output<typeof claimWindows>
export const WINDOW_LABEL: Record<keyof ClaimWindows, string> = {
  claim_send_days: 'Dias para o primeiro envio, do fim do reparo',
  claim_return_days: 'Dias para responder uma devolução',
  claim_appeal_days: 'Dias para pedir reconsideração',
  claim_part_days: 'Dias de guarda da peça substituída',
  claim_answer_days: 'Dias esperados até a resposta',
  claim_credit_days: 'Dias esperados até o crédito',
}

/** All windows absent, as of a new brand. */
export const NO_WINDOWS = {
  claim_send_days: null,
  claim_return_days: null,
  claim_appeal_days: null,
  claim_part_days: null,
  claim_answer_days: null,
  claim_credit_days: null,
} as const satisfies ClaimWindows

export { DUE_KIND, DUE_KINDS, type DueKind } from './due-kinds.ts'

/** The day so many days after another, both as yyyy-mm-dd. */
export const daysAfter = (from: string, count: number) => daysBefore(from, -count)

/** The days, in the company's time zone, from which the windows of a claim run; null for what has not happened. */
export interface ClaimDays {
  repaired_on: string | null
  sent_on: string | null
  answered_on: string | null
}
export interface Due {
  kind: Exclude<DueKind, 'mail' | 'part' | 'legal'>
  on: string
}

/** What is due next of a claim: the earliest of what its state waits for; null when nothing is, or no window is set. */
export function dueOf(
  claim: { state: ClaimState; is_appealed: boolean } & Sums,
  { repaired_on, sent_on, answered_on }: ClaimDays,
  windows: ClaimWindows,
): Due | null {
  const due = (kind: Due['kind'], from: string | null, count: number | null): Due[] =>
    from === null || count === null ? [] : [{ kind, on: daysAfter(from, count) }]
  const appeal = claim.is_appealed ? [] : due('appeal', answered_on, windows.claim_appeal_days)
  const credit = due('credit', answered_on, windows.claim_credit_days)
  const waiting = isSettled(claim)
    ? []
    : { accepted: credit, partial: [...appeal, ...credit], rejected: appeal }
  const found: Due[] =
    claim.state === 'draft'
      ? due('send', repaired_on, windows.claim_send_days)
      : claim.state === 'sent' || claim.state === 'in_review'
        ? due('answer', sent_on, windows.claim_answer_days)
        : claim.state === 'returned'
          ? due('return', answered_on, windows.claim_return_days)
          : ((waiting as Partial<Record<ClaimState, Due[]>>)[claim.state] ?? [])
  return [...found].sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))[0] ?? null
}

/** An order that nobody made a claim of is forgotten so many days after its last day to be sent. */
export const UNSENT_DAYS = 60
export { SOON_DAYS } from './soon.ts'

const criteria = {
  kind: chosenFrom(DUE_KINDS, 'Prazo desconhecido').optional(),
  brand_id: chosenIds.optional(),
  company_id: chosenIds.optional(),
  responsible_user_id: chosenIds.optional(),
  /** Due until this day, inclusive. */
  until: day.optional(),
}
/** Filter of «Prazos»; overdue first, then by date. */
export const deadlineFilter = paging.extend(criteria)
export type DeadlineFilter = z.output<typeof deadlineFilter>
export type DeadlineCriteria = Omit<DeadlineFilter, 'skip' | 'limit'>

export const deadlineRow = z.object({
  kind: z.enum(DUE_KINDS),
  due_on: z.string(),
  is_overdue: z.boolean(),
  order_id: id,
  os_number: z.string(),
  claim_id: id.nullable(),
  part_id: id.nullable(),
  company: z.object({ id, trading_name: z.string() }),
  brand: z.object({ id, display_name: z.string() }),
  responsible_name: z.string().nullable(),
})
export type DeadlineRow = z.output<typeof deadlineRow>
export const deadlinePage = z.object({
  items: z.array(deadlineRow),
  total: z.number().int(),
  total_is_exact: z.boolean().describe('`false`: há mais prazos do que `total`.'),
  overdue: z.number().int(),
  skip: z.number().int(),
  limit: z.number().int(),
})
export type DeadlinePage = z.output<typeof deadlinePage>

/** Numbers of the dashboard row, each counted up to the cap of searches; those of `soon` are not overdue yet. */
export const deadlineCounts = z.object({
  kinds: z.array(z.object({ kind: z.enum(DUE_KINDS), overdue: z.number().int(), soon: z.number().int() })),
  overdue: z.number().int(),
  soon: z.number().int(),
})
export type DeadlineCounts = z.output<typeof deadlineCounts>

/** The address of the calendar; the secret in it is shown once. */
export const calendarFeed = z.object({
  address: z.string().nullable(),
  created_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})
export type CalendarFeed = z.output<typeof calendarFeed>
/** The secret part of the address, with the ending that programs look for. */
export const calendarToken = z.object({
  token: z.string().regex(/^[\w-]{43}(\.ics)?$/, 'Endereço de calendário inválido'),
})
