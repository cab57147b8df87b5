import { z } from 'zod'
import { paging, text } from '../fields.ts'
import { chosenFrom, chosenIds, DIRECTIONS } from '../orders/criteria.ts'
import { day } from '../orders/metrics.ts'
import { CLAIM_STATES, CLAIM_TYPES } from './state.ts'

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
  /** Refused or accepted in part, and no appeal was made of them. */
  is_unappealed: z.boolean('Use true ou false').optional(),
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

/** Views that everybody has; the screen makes of `sent_days_ago` the day, as `sent_until`. */
export const CLAIM_VIEWS = [
  { name: 'Sem resposta há 15 dias', criteria: { state: 'sent,in_review', sent_days_ago: 15 } },
  { name: 'Devolvidas', criteria: { state: 'returned' } },
  { name: 'Recusadas sem reconsideração', criteria: { state: 'rejected,partial', is_unappealed: true } },
  { name: 'A receber', criteria: { is_open: true } },
] as const
