import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { id, optionalText, text } from '../fields.ts'
import { day } from '../orders/metrics.ts'
import { amount, centsOf, positiveAmount } from './money.ts'
import { asksCategory, REFUSAL_REASONS } from './reasons.ts'

export const SUBMISSION_CHANNELS = ['portal', 'email'] as const
export type SubmissionChannel = (typeof SUBMISSION_CHANNELS)[number]
export const SUBMISSION_CHANNEL: Record<SubmissionChannel, string> = {
  portal: 'Portal da marca',
  email: 'E-mail ao analista',
}

const brandNumber = text(60)
  .transform((value) => (value === '' ? null : value))
  .nullable()
  .optional()
const moment = z.iso.datetime({ offset: true, error: 'Deve ser uma data e hora' })
const version = z.number().int().positive().optional()

/** The sending, or sending anew after a return; seals a dossier, whose version goes along. */
export const submissionInput = z.object({
  channel: z.enum(SUBMISSION_CHANNELS, 'Escolha como enviar').optional(),
  brand_number: brandNumber,
  note: optionalText(2_000),
  /** When it was sent, if not now. */
  sent_at: moment.optional(),
  version,
})
export type SubmissionInput = z.output<typeof submissionInput>

export const submissionView = z.object({
  id,
  n: z.number().int(),
  channel: z.enum(SUBMISSION_CHANNELS),
  address: z.string().nullable(),
  brand_number: z.string().nullable(),
  dossier_n: z.number().int(),
  /** Whether the mail went out, for a sending by e-mail; null too once mails of that time are gone. */
  mail: z.object({ sent_at: z.string().nullable(), error: z.string().nullable() }).nullable(),
  note: z.string().nullable(),
  sent_at: z.string(),
  actor_name: z.string(),
})
export type SubmissionView = z.output<typeof submissionView>

/** The answer to one line; anything missing of what was claimed needs a reason. */
const decisionLine = z.object({
  line_id: id,
  authorised: amount,
  reason: z.enum(REFUSAL_REASONS, 'Motivo desconhecido').nullable().optional(),
  /** Which evidence the brand means, where the reason speaks of evidence. */
  evidence_category: z.enum(EVIDENCE_CATEGORIES, 'Categoria desconhecida').nullable().optional(),
  brand_code: optionalText(60),
  brand_words: optionalText(2_000),
})
export type DecisionLine = z.output<typeof decisionLine>

export const ANSWERS = ['in_review', 'returned', 'decided'] as const
/** What the brand says: in review, returned, or decided, with all lines. */
export const decisionInput = z
  .object({
    answer: z.enum(ANSWERS, 'Resposta desconhecida'),
    decided_at: moment.optional(),
    brand_number: brandNumber,
    brand_code: optionalText(60),
    brand_words: optionalText(2_000),
    lines: z.array(decisionLine).max(200).optional(),
    /** What the brand paid with its decision: one amount, divided over the lines as that of a payment of its own. */
    payment: z.object({ booked_on: day, amount: positiveAmount }).optional(),
    version,
  })
  .refine(({ answer, payment }) => answer === 'decided' || payment === undefined, {
    path: ['payment'],
    error: 'Um pagamento acompanha só a decisão da marca',
  })
  .refine(({ answer, lines }) => (answer === 'decided') === (lines !== undefined && lines.length > 0), {
    path: ['lines'],
    error: 'Informe o valor autorizado de cada item',
  })
  .refine(({ answer, brand_words }) => answer !== 'returned' || Boolean(brand_words), {
    path: ['brand_words'],
    error: 'Informe o que a marca pede',
  })
export type DecisionInput = z.output<typeof decisionInput>

/** A wrong answer is corrected by another one, with a reason. */
export const decisionCorrection = z.object({
  reason: text(500).min(1, 'Informe o motivo da correção'),
  decided_at: moment.optional(),
  brand_code: optionalText(60),
  brand_words: optionalText(2_000),
  lines: z.array(decisionLine).min(1, 'Informe o valor autorizado de cada item').max(200),
  version,
})
export type DecisionCorrection = z.output<typeof decisionCorrection>

export const NEEDS_REASON = 'O que não foi autorizado precisa de um motivo'
export const NEEDS_CATEGORY = 'Informe de qual evidência a marca fala'
export const ABOVE_CLAIMED = 'O valor autorizado não pode passar do solicitado'
export const ALL_LINES = 'A resposta deve ter todos os itens, cada um uma vez'

export interface DecisionIssue {
  index: number
  field: 'line_id' | 'authorised' | 'reason' | 'evidence_category'
  message: string
}
/** What is wrong with an answer to these lines; null when nothing is. `index` is that of the answer's line. */
export function decisionIssue(
  answers: readonly DecisionLine[],
  lines: readonly { id: number; claimed: number }[],
): DecisionIssue | null {
  const claimed = new Map(lines.map((line) => [line.id, line.claimed]))
  const seen = new Set<number>()
  for (const [index, { line_id, authorised, reason, evidence_category }] of answers.entries()) {
    const most = claimed.get(line_id)
    if (most === undefined || seen.has(line_id)) return { index, field: 'line_id', message: ALL_LINES }
    seen.add(line_id)
    if (centsOf(authorised) > centsOf(most)) return { index, field: 'authorised', message: ABOVE_CLAIMED }
    if (centsOf(authorised) === centsOf(most)) continue
    if (!reason) return { index, field: 'reason', message: NEEDS_REASON }
    if (asksCategory(reason) && !evidence_category)
      return { index, field: 'evidence_category', message: NEEDS_CATEGORY }
  }
  return seen.size === lines.length ? null : { index: 0, field: 'line_id', message: ALL_LINES }
}

export const decisionView = z.object({
  id,
  n: z.number().int(),
  outcome: z.enum(['in_review', 'returned', 'accepted', 'partial', 'rejected']),
  decided_at: z.string(),
  brand_code: z.string().nullable(),
  brand_words: z.string().nullable(),
  corrects_id: id.nullable(),
  reason: z.string().nullable(),
  actor_name: z.string(),
  lines: z.array(
    z.object({
      line_id: id,
      authorised: z.number(),
      reason: z.string().nullable(),
      evidence_category: z.string().nullable(),
      brand_code: z.string().nullable(),
      brand_words: z.string().nullable(),
    }),
  ),
})
export type DecisionView = z.output<typeof decisionView>
