import { DIRECTIONS, ORDER_PAGE_SIZE, ORDER_PAGE_SIZES } from '@garantia/shared/orders/criteria'
import { z } from 'zod'
import { day, isId, listOf, number, pageSize } from '../../../lib/search-fields.ts'

/** What only figures of reports filter by; the list says so, as its filters do not show it. */
export const NO_REPORT_FILTER = {
  is_overpaid: '',
  technician: '',
  is_refused: '',
  refused_from: '',
  refused_until: '',
  refusal_reason: '',
  refused_category: '',
  first_answered_from: '',
  first_answered_until: '',
  is_first_accepted: '',
  credited_from: '',
  credited_until: '',
} as const
/** Defaults of the URL parameters; values equal to the default are omitted from the URL. */
export const NO_CLAIM_FILTER = {
  search: '',
  state: '',
  type: '',
  brand_id: '',
  company_id: '',
  sent_from: '',
  sent_until: '',
  due_until: '',
  is_open: '',
  is_unappealed: '',
  ...NO_REPORT_FILTER,
} as const
export const FIRST_CLAIM_PAGE = {
  ...NO_CLAIM_FILTER,
  sort: 'created_at',
  direction: 'desc',
  limit: ORDER_PAGE_SIZE,
  page: 1,
} as const

const flag = z.enum(['', 'true', 'false']).default('').catch('')
const isWord = (one: string) => /^[a-z_]{1,40}$/.test(one)
/**
 * URL state of the list. States, types and the sort are judged by the screen (`claim-criteria.ts`): their rules are not
 * in what every screen loads.
 */
export const claimsSearch = z.object({
  search: z.string().max(200).default('').catch(''),
  state: listOf(isWord),
  type: listOf(isWord),
  brand_id: listOf(isId),
  company_id: listOf(isId),
  sent_from: day,
  sent_until: day,
  due_until: day,
  is_open: flag,
  is_unappealed: flag,
  is_overpaid: flag,
  technician: listOf((one) => one === 'none' || isId(one)),
  is_refused: flag,
  refused_from: day,
  refused_until: day,
  refusal_reason: listOf(isWord),
  refused_category: listOf(isWord),
  first_answered_from: day,
  first_answered_until: day,
  is_first_accepted: flag,
  credited_from: day,
  credited_until: day,
  sort: z.string().default(FIRST_CLAIM_PAGE.sort).catch(FIRST_CLAIM_PAGE.sort),
  direction: z.enum(DIRECTIONS).default(FIRST_CLAIM_PAGE.direction).catch(FIRST_CLAIM_PAGE.direction),
  limit: pageSize(ORDER_PAGE_SIZES, ORDER_PAGE_SIZE),
  page: number(1, 100_000),
})
export type ClaimsSearch = z.output<typeof claimsSearch>
export type ClaimFilters = Omit<ClaimsSearch, 'sort' | 'direction' | 'limit' | 'page'>
