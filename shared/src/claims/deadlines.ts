import { z } from 'zod'
import { id, paging } from '../fields.ts'
import { daysBefore } from '../format.ts'
import { chosenFrom, chosenIds } from '../orders/criteria.ts'
import { day } from '../orders/metrics.ts'
import { DUE_KINDS, type DueKind } from './due-kinds.ts'
import { centsOf } from './money.ts'
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
  /** From `claim_appeal_from` to the appeal of a refusal. */
  claim_appeal_days: days,
  /** How long a replaced part is kept, from `claim_part_from`. */
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

/** The event of a claim from which a brand counts days. */
export const WINDOW_EVENTS = ['sent', 'answered', 'credit_note', 'paid'] as const
export type WindowEvent = (typeof WINDOW_EVENTS)[number]
export const WINDOW_EVENT: Record<WindowEvent, string> = {
  sent: 'Envio à marca',
  answered: 'Resposta da marca',
  credit_note: 'Nota de crédito',
  paid: 'Pagamento',
}
/** «corre da nota de crédito, que ainda não houve». */
export const awaitedText = (event: WindowEvent) => {
  const from = {
    sent: 'do envio à marca',
    answered: 'da resposta da marca',
    credit_note: 'da nota de crédito',
    paid: 'do pagamento',
  }
  return `corre ${from[event]}, que ainda não houve`
}
const event = z.enum(WINDOW_EVENTS, 'Escolha de quando os dias correm')
/** From which event the days of appeals and of parts run. */
export const windowBeginnings = z.object({ claim_appeal_from: event, claim_part_from: event })
export type WindowBeginnings = z.output<typeof windowBeginnings>
export const WINDOW_BEGINNING_LABEL: Record<keyof WindowBeginnings, string> = {
  claim_appeal_from: 'O prazo da reconsideração corre de',
  claim_part_from: 'A guarda da peça corre de',
}
/** The beginnings of a new brand. */
export const FIRST_BEGINNINGS = {
  claim_appeal_from: 'answered',
  claim_part_from: 'sent',
} as const satisfies WindowBeginnings

export { DUE_KIND, DUE_KINDS, type DueKind } from './due-kinds.ts'

/** The day so many days after another, both as yyyy-mm-dd. */
export const daysAfter = (from: string, count: number) => daysBefore(from, -count)

/** The days, in the company's time zone, from which the windows of a claim run; null for what has not happened. */
export interface ClaimDays {
  repaired_on: string | null
  first_sent_on: string | null
  /** The newest sending. */
  sent_on: string | null
  answered_on: string | null
  credit_note_on: string | null
  /** The first payment in force. */
  paid_on: string | null
}
export interface Due {
  kind: Exclude<DueKind, 'mail' | 'part' | 'legal'>
  on: string
}

type Rules = ClaimWindows & WindowBeginnings
interface Judged extends Sums {
  state: ClaimState
  is_appealed: boolean
}

/** The day from which days run that begin with an event; null while it has not happened. */
const dayOf = (event: WindowEvent, days: ClaimDays) =>
  ({
    sent: days.sent_on,
    answered: days.answered_on,
    credit_note: days.credit_note_on,
    paid: days.paid_on,
  })[event]
const after = (from: string | null, count: number | null) =>
  from === null || count === null ? null : daysAfter(from, count)

/**
 * Whether the brand has refused something that can still be appealed. Days that begin with the credit note or the
 * payment go on when the rest was paid.
 */
function isAppealOpen(claim: Judged, { claim_appeal_from }: WindowBeginnings) {
  if (claim.is_appealed || isSettled(claim)) return false
  if (claim.state === 'partial' || claim.state === 'rejected') return true
  const beginsWithCredit = claim_appeal_from === 'credit_note' || claim_appeal_from === 'paid'
  return (
    claim.state === 'credited' && beginsWithCredit && centsOf(claim.authorised ?? 0) < centsOf(claim.claimed)
  )
}

/** What is due next of a claim: the earliest of what its state waits for; null when nothing is, or no window is set. */
export function dueOf(claim: Judged, days: ClaimDays, rules: Rules): Due | null {
  const due = (kind: Due['kind'], on: string | null): Due[] => (on === null ? [] : [{ kind, on }])
  const appeal = isAppealOpen(claim, rules)
    ? due('appeal', after(dayOf(rules.claim_appeal_from, days), rules.claim_appeal_days))
    : []
  const credit = isSettled(claim) ? [] : due('credit', after(days.answered_on, rules.claim_credit_days))
  const answer = due('answer', after(days.sent_on, rules.claim_answer_days))
  const found: Partial<Record<ClaimState, Due[]>> = {
    draft: due('send', after(days.repaired_on, rules.claim_send_days)),
    sent: answer,
    in_review: answer,
    returned: due('return', after(days.answered_on, rules.claim_return_days)),
    accepted: credit,
    partial: [...appeal, ...credit],
    rejected: appeal,
    credited: appeal,
  }
  return [...(found[claim.state] ?? [])].sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))[0] ?? null
}

/** The event that the days of an appeal wait for; null when they run, or there are none. */
export const awaitedOf = (claim: Judged, days: ClaimDays, rules: Rules): WindowEvent | null =>
  rules.claim_appeal_days !== null &&
  isAppealOpen(claim, rules) &&
  dayOf(rules.claim_appeal_from, days) === null
    ? rules.claim_appeal_from
    : null

/**
 * Until which day the replaced parts of a claim that was sent are kept; null without days, and while the event from which
 * they run has not happened. Sent is the first sending; a return is no answer yet.
 */
export function partDueOn({ state }: Pick<Judged, 'state'>, days: ClaimDays, rules: Rules) {
  const isAnswered = !['sent', 'in_review', 'returned'].includes(state)
  const from = dayOf(rules.claim_part_from, {
    ...days,
    sent_on: days.first_sent_on,
    answered_on: isAnswered ? days.answered_on : null,
  })
  return after(from, rules.claim_part_days)
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
