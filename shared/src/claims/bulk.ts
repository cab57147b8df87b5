import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { id } from '../fields.ts'
import { EXPORT_FORMATS } from '../orders/bulk.ts'
import { DIRECTIONS } from '../orders/criteria.ts'
import { decisionInput, submissionInput } from './answers.ts'
import { CLAIM_SORTS, claimCriteria } from './criteria.ts'
import { asksCategory, REFUSAL_REASONS } from './reasons.ts'

/** Most claims in one bulk action, or in an export by selection. */
export const CLAIMS_BULK_MAX = 200
const TOO_MANY = `Máximo de ${CLAIMS_BULK_MAX} solicitações por vez`
const ids = z.array(id).min(1, 'Selecione ao menos uma solicitação').max(CLAIMS_BULK_MAX, TOO_MANY)

/** Sends several claims of one brand, each with its own dossier. */
export const bulkSubmission = submissionInput.omit({ version: true, brand_number: true }).extend({ ids })
export type BulkSubmission = z.output<typeof bulkSubmission>

/** One answer to several claims of one brand; accepted and rejected are those of all their lines. */
export const BULK_ANSWERS = ['in_review', 'returned', 'accepted', 'rejected'] as const
const { decided_at, brand_code, brand_words } = decisionInput.shape
const bulkAnswer = z.object({
  ids,
  answer: z.enum(BULK_ANSWERS, 'Resposta desconhecida'),
  decided_at,
  brand_code,
  brand_words,
  /** Why all was rejected. */
  reason: z.enum(REFUSAL_REASONS, 'Motivo desconhecido').nullable().optional(),
  evidence_category: z.enum(EVIDENCE_CATEGORIES, 'Categoria desconhecida').nullable().optional(),
})
type Answer = Partial<
  Pick<z.output<typeof bulkAnswer>, 'answer' | 'brand_words' | 'reason' | 'evidence_category'>
>
const saysWhatIsAsked = ({ answer, brand_words }: Answer) => answer !== 'returned' || Boolean(brand_words)
const saysWhy = ({ answer, reason }: Answer) => answer !== 'rejected' || Boolean(reason)
const saysOfWhat = ({ answer, reason, evidence_category }: Answer) =>
  answer !== 'rejected' || !reason || !asksCategory(reason) || Boolean(evidence_category)
const ASKED = { path: ['brand_words'], error: 'Informe o que a marca pede' }
const WHY = { path: ['reason'], error: 'O que não foi autorizado precisa de um motivo' }
const OF_WHAT = { path: ['evidence_category'], error: 'Informe de qual evidência a marca fala' }
export const bulkDecision = bulkAnswer
  .refine(saysWhatIsAsked, ASKED)
  .refine(saysWhy, WHY)
  .refine(saysOfWhat, OF_WHAT)
export type BulkDecision = z.output<typeof bulkDecision>

/** The bulk actions as one REST request. */
export const claimBulk = bulkSubmission
  .extend({ ...bulkAnswer.partial().shape, ids, action: z.enum(['submit', 'decide'], 'Ação desconhecida') })
  .refine(({ action, answer }) => action !== 'decide' || answer !== undefined, {
    path: ['answer'],
    error: 'Informe a resposta da marca',
  })
  .refine(saysWhatIsAsked, ASKED)
  .refine(saysWhy, WHY)
  .refine(saysOfWhat, OF_WHAT)
export type ClaimBulk = z.output<typeof claimBulk>

/** Selects claims by the list's filter or by ids (comma-separated). */
export const claimExport = claimCriteria.extend({
  format: z.enum(EXPORT_FORMATS),
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Lista de solicitações inválida')
    .transform((list) => list.split(',').map(Number))
    .refine((list) => list.length <= CLAIMS_BULK_MAX, TOO_MANY)
    .optional(),
  sort: z.enum(CLAIM_SORTS).optional(),
  direction: z.enum(DIRECTIONS).optional(),
})
export type ClaimExport = z.output<typeof claimExport>
