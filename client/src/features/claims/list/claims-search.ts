import { DIRECTIONS, ORDER_PAGE_SIZE, ORDER_PAGE_SIZES } from '@garantia/shared/orders/criteria'
import { z } from 'zod'
import { day, isId, listOf, number, pageSize } from '../../../lib/search-fields.ts'

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
  sort: z.string().default(FIRST_CLAIM_PAGE.sort).catch(FIRST_CLAIM_PAGE.sort),
  direction: z.enum(DIRECTIONS).default(FIRST_CLAIM_PAGE.direction).catch(FIRST_CLAIM_PAGE.direction),
  limit: pageSize(ORDER_PAGE_SIZES, ORDER_PAGE_SIZE),
  page: number(1, 100_000),
})
export type ClaimsSearch = z.output<typeof claimsSearch>
export type ClaimFilters = Omit<ClaimsSearch, 'sort' | 'direction' | 'limit' | 'page'>
