import { CLAIM_SORTS, CLAIM_VIEWS, type ClaimSort } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES, CLAIM_TYPES, type ClaimState, type ClaimType } from '@garantia/shared/claims/state'
import { daysBefore, isoDay } from '@garantia/shared/format'
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
/** URL state of the list; an invalid parameter falls back to its default. */
export const claimsSearch = z.object({
  search: z.string().max(200).default('').catch(''),
  state: listOf((one) => CLAIM_STATES.includes(one as ClaimState)),
  type: listOf((one) => CLAIM_TYPES.includes(one as ClaimType)),
  brand_id: listOf(isId),
  company_id: listOf(isId),
  sent_from: day,
  sent_until: day,
  due_until: day,
  is_open: flag,
  is_unappealed: flag,
  sort: z.enum(CLAIM_SORTS).default(FIRST_CLAIM_PAGE.sort).catch(FIRST_CLAIM_PAGE.sort),
  direction: z.enum(DIRECTIONS).default(FIRST_CLAIM_PAGE.direction).catch(FIRST_CLAIM_PAGE.direction),
  limit: pageSize(ORDER_PAGE_SIZES, ORDER_PAGE_SIZE),
  page: number(1, 100_000),
})
export type ClaimsSearch = z.output<typeof claimsSearch>
export type ClaimFilters = Omit<ClaimsSearch, 'sort' | 'direction' | 'limit' | 'page'>

const flagOf = (text: ClaimsSearch['is_open']) => (text === '' ? undefined : text === 'true')
/** Filter criteria as the server takes them; inactive filters are undefined. */
export const claimCriteriaOf = (state: ClaimFilters) => ({
  search: state.search || undefined,
  state: state.state || undefined,
  type: state.type || undefined,
  brand_id: state.brand_id || undefined,
  company_id: state.company_id || undefined,
  sent_from: state.sent_from || undefined,
  sent_until: state.sent_until || undefined,
  due_until: state.due_until || undefined,
  is_open: flagOf(state.is_open),
  is_unappealed: flagOf(state.is_unappealed),
})
/** What the server is asked for. */
export const claimListInput = ({ page, limit, sort, direction, ...filter }: ClaimsSearch) => ({
  ...claimCriteriaOf(filter),
  sort,
  direction,
  skip: (page - 1) * limit,
  limit,
})

const activeIn = (state: ClaimFilters) =>
  Object.entries(claimCriteriaOf(state)).filter(([, value]) => value !== undefined)
export const isFilteredClaims = (state: ClaimFilters) => activeIn(state).length > 0
/** How many filters narrow the list, the search left out. */
export const countClaimFilters = (state: ClaimFilters) =>
  activeIn(state).filter(([name]) => name !== 'search').length

/** Dates and amounts sort descending first, what is due ascending; the same column again reverses the direction. */
export function nextClaimSort(now: Pick<ClaimsSearch, 'sort' | 'direction'>, by: ClaimSort) {
  if (by === now.sort) return { sort: by, direction: now.direction === 'asc' ? 'desc' : 'asc' } as const
  return { sort: by, direction: by === 'due_on' ? 'asc' : 'desc' } as const
}

/** The views that everybody has, as filters of today. */
export const claimViewsOn = (now: Date) =>
  CLAIM_VIEWS.map(({ name, criteria }) => {
    const { state, is_open, is_unappealed, sent_days_ago } = criteria as {
      state?: string
      is_open?: boolean
      is_unappealed?: boolean
      sent_days_ago?: number
    }
    return {
      name,
      filters: {
        ...NO_CLAIM_FILTER,
        ...(state && { state }),
        ...(is_open && { is_open: 'true' as const }),
        ...(is_unappealed && { is_unappealed: 'true' as const }),
        ...(sent_days_ago && { sent_until: daysBefore(isoDay(now), sent_days_ago) }),
      } satisfies ClaimFilters,
    }
  })
export const matchesClaimView = (state: ClaimFilters, filters: ClaimFilters) =>
  JSON.stringify(claimCriteriaOf(state)) === JSON.stringify(claimCriteriaOf(filters))
