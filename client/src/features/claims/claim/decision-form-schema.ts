import {
  type DecisionCorrection,
  type DecisionInput,
  type DecisionView,
  decisionCorrection,
  decisionInput,
  decisionIssue,
  NEEDS_CATEGORY,
  NEEDS_REASON,
} from '@garantia/shared/claims/answers'
import { asksCategory, type RefusalReason } from '@garantia/shared/claims/reasons'
import type { ClaimLineView, ClaimView } from '@garantia/shared/claims/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { date, dayIn } from '@garantia/shared/format'
import { formOf } from '../../../lib/forms.ts'
import { maskedMoney, moneyIn } from '../../../ui/form/masks.ts'
import { typedDay } from './day-fields.ts'

/** What the brand may say. The first letters differ where they can: they choose in the list. */
export const OUTCOMES = {
  accepted: 'Aceita',
  partial: 'Parte aceita, item por item',
  rejected: 'Recusada',
  returned: 'Devolvida: a marca pede algo',
  in_review: 'Em análise na marca',
} as const
export type Outcome = keyof typeof OUTCOMES

export interface DecisionFields {
  outcome: Outcome
  decided_on: string
  brand_number: string
  brand_code: string
  brand_words: string
  /** Why the answer is corrected. */
  correction: string
  /** Of all lines, when all are refused. */
  reason: RefusalReason | ''
  evidence_category: EvidenceCategory | ''
  lines: LineAnswer[]
  /** What was paid with an answer that accepts all. */
  is_paid: boolean
  payment: { amount: string; booked_on: string }
}
export interface LineAnswer {
  line_id: number
  authorised: string
  reason: RefusalReason | ''
  evidence_category: EvidenceCategory | ''
}

type Line = Pick<ClaimLineView, 'id' | 'claimed'>
const today = () => date(new Date())

/** What a new answer has at first: everything authorised. A correction has what was answered. */
export function answerOf(claim: ClaimView, outcome: Outcome, isCorrection: boolean): DecisionFields {
  const former = isCorrection ? claim.decisions.at(-1) : undefined
  const answered = new Map(former?.lines.map((line) => [line.line_id, line]))
  const [first, ...rest] = former?.lines ?? []
  // What was refused as a whole has one reason for all lines.
  const isWhole = rest.every(
    (line) => line.reason === first?.reason && line.evidence_category === first.evidence_category,
  )
  const whole = outcome === 'rejected' && isWhole ? first : undefined
  return {
    outcome,
    decided_on: former ? date(former.decided_at) : today(),
    brand_number: claim.brand_number ?? '',
    brand_code: former?.brand_code ?? '',
    brand_words: former?.brand_words ?? '',
    correction: '',
    reason: (whole?.reason ?? '') as RefusalReason | '',
    evidence_category: (whole?.evidence_category ?? '') as EvidenceCategory | '',
    is_paid: false,
    payment: { amount: maskedMoney(claim.claimed), booked_on: today() },
    lines: claim.lines.map(({ id, claimed }) => {
      const before = answered.get(id)
      return {
        line_id: id,
        authorised: maskedMoney(before?.authorised ?? claimed),
        reason: (before?.reason ?? '') as RefusalReason | '',
        evidence_category: (before?.evidence_category ?? '') as EvidenceCategory | '',
      }
    }),
  }
}

/** The answer to every line. */
export function linesOf(fields: DecisionFields, lines: readonly Line[]) {
  const { outcome, reason, evidence_category } = fields
  return lines.map(({ id, claimed }) => {
    const typed = fields.lines.find(({ line_id }) => line_id === id)
    if (outcome === 'accepted') return { line_id: id, authorised: claimed }
    if (outcome === 'rejected') return { line_id: id, authorised: 0, ...reasonOf(reason, evidence_category) }
    const authorised = typed ? (moneyIn(typed.authorised) ?? undefined) : undefined
    return authorised === claimed
      ? { line_id: id, authorised }
      : { line_id: id, authorised, ...reasonOf(typed?.reason ?? '', typed?.evidence_category ?? '') }
  })
}
const reasonOf = (reason: RefusalReason | '', category: EvidenceCategory | '') => ({
  reason: reason || null,
  evidence_category: reason && asksCategory(reason) ? category || null : null,
})

export const isPaid = ({ outcome, is_paid }: Pick<DecisionFields, 'outcome' | 'is_paid'>) =>
  outcome === 'accepted' && is_paid
const paymentOf = ({ amount, booked_on }: DecisionFields['payment']) => ({
  amount: moneyIn(amount) ?? 0,
  booked_on: typedDay(booked_on) ?? '',
})

/** Noon of the day, or null for today: the server takes its own time. */
const momentOf = (day: string) =>
  day === today() ? undefined : (dayIn(day)?.toISOString().replace(/T.*/, 'T15:00:00Z') ?? 'inválida')

/** Undefined leaves the moment of the former answer; today is meant only where it was chosen. */
const correctedMoment = (day: string, former: DecisionView | undefined) =>
  former && day === date(former.decided_at) ? undefined : (momentOf(day) ?? new Date().toISOString())

/** What the brand itself said of a line, for which the form has no fields. */
function saidOf(line_id: number, { decisions }: Pick<ClaimView, 'decisions'>) {
  const line = decisions.at(-1)?.lines.find((one) => one.line_id === line_id)
  return line ? { brand_code: line.brand_code, brand_words: line.brand_words } : {}
}

const acrossFields = ({ outcome, reason, evidence_category }: DecisionFields) =>
  outcome === 'rejected'
    ? {
        reason: reason ? null : NEEDS_REASON,
        evidence_category: reason && asksCategory(reason) && !evidence_category ? NEEDS_CATEGORY : null,
      }
    : {}

/** Form of the answer to a claim with these lines. */
export const decisionForm = (lines: readonly Line[]) =>
  formOf<DecisionFields, DecisionInput>(
    decisionInput.superRefine((input, context) => {
      const issue = input.lines && decisionIssue(input.lines, lines)
      if (issue)
        context.addIssue({
          code: 'custom',
          path: ['lines', issue.index, issue.field],
          message: issue.message,
        })
    }),
    (fields) => {
      const { outcome, brand_number, brand_code, brand_words } = fields
      const isDecided = outcome !== 'returned' && outcome !== 'in_review'
      return {
        answer: isDecided ? 'decided' : outcome,
        decided_at: momentOf(fields.decided_on),
        brand_number,
        brand_code,
        brand_words,
        ...(isDecided && { lines: linesOf(fields, lines) }),
        ...(isPaid(fields) && { payment: paymentOf(fields.payment) }),
      }
    },
    acrossFields,
  )

export const correctionForm = (claim: Pick<ClaimView, 'decisions'> & { lines: readonly Line[] }) =>
  formOf<DecisionFields, DecisionCorrection>(
    decisionCorrection.superRefine((input, context) => {
      const issue = decisionIssue(input.lines, claim.lines)
      if (issue)
        context.addIssue({
          code: 'custom',
          path: ['lines', issue.index, issue.field],
          message: issue.message,
        })
    }),
    (fields) => ({
      reason: fields.correction,
      decided_at: correctedMoment(fields.decided_on, claim.decisions.at(-1)),
      brand_code: fields.brand_code,
      brand_words: fields.brand_words,
      lines: linesOf(fields, claim.lines).map((line) => ({ ...saidOf(line.line_id, claim), ...line })),
    }),
    (fields) => ({
      ...acrossFields(fields),
      correction: fields.correction.trim() === '' ? 'Informe o motivo da correção' : null,
    }),
  )
