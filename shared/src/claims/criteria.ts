import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { paging, text } from '../fields.ts'
import { chosenFrom, chosenIds, DIRECTIONS } from '../orders/criteria.ts'
import { day } from '../orders/metrics.ts'
import { REFUSAL_REASONS } from './reasons.ts'
import { CLAIM_STATES, CLAIM_TYPES } from './state.ts'

/** Categories of evidence, and refusals that name none. */
export const REFUSED_CATEGORIES = [...EVIDENCE_CATEGORIES, 'none'] as const
const technicians = z
  .string()
  .regex(/^(none|[1-9]\d{0,14})(,(none|[1-9]\d{0,14}))*$/, 'Deve ser um número, none ou uma lista deles')
  .transform((list) => [...new Set(list.split(','))])

/** Filter of the list of claims; each list is comma-separated in an address, as for orders. */
export const claimCriteria = z.object({
  search: text(200).optional(),
  state: chosenFrom(CLAIM_STATES, 'Situação desconhecida').optional(),
  type: chosenFrom(CLAIM_TYPES, 'Tipo desconhecido').optional(),
  brand_id: chosenIds.optional(),
  company_id: chosenIds.optional(),
  /** Days of the sending in São Paulo, both inclusive. */
  sent_from: day.optional(),
  sent_until: day.optional(),
  /** Due until this day, inclusive. */
  due_until: day.optional(),
  /** Only claims of which something is still expected. */
  is_open: z.boolean('Use true ou false').optional(),
  /** Paid more than was claimed. */
  is_overpaid: z.boolean('Use true ou false').optional(),
  /** Refused or accepted in part, and no appeal was made of them. */
  is_unappealed: z.boolean('Use true ou false').optional(),
  /** Ids of the technicians of their orders, `none` for orders without one. */
  technician: technicians.optional(),
  /** With a line that was refused, whole or in part: days of the answer in force, its reason, the evidence it names. */
  is_refused: z.boolean('Use true ou false').optional(),
  refused_from: day.optional(),
  refused_until: day.optional(),
  refusal_reason: chosenFrom(REFUSAL_REASONS, 'Motivo desconhecido').optional(),
  refused_category: chosenFrom(REFUSED_CATEGORIES, 'Categoria desconhecida').optional(),
  /** Days of the first answer, returns included, and whether it accepted all. */
  first_answered_from: day.optional(),
  first_answered_until: day.optional(),
  is_first_accepted: z.boolean('Use true ou false').optional(),
  /** Days of the first payment. */
  credited_from: day.optional(),
  credited_until: day.optional(),
})
export type ClaimCriteria = z.output<typeof claimCriteria>

export const CLAIM_SORTS = ['created_at', 'sent_at', 'due_on', 'open_amount', 'claimed'] as const
export type ClaimSort = (typeof CLAIM_SORTS)[number]

/** Filter, sorting and page; newest first by default. */
export const claimFilter = paging.extend({
  ...claimCriteria.shape,
  sort: z.enum(CLAIM_SORTS).optional(),
  direction: z.enum(DIRECTIONS).optional(),
})
export type ClaimFilter = z.output<typeof claimFilter>
