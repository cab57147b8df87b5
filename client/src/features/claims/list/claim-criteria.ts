import { CLAIM_SORTS, type ClaimSort, REFUSED_CATEGORIES } from '@garantia/shared/claims/criteria'
import { REFUSAL_REASONS } from '@garantia/shared/claims/reasons'
import { CLAIM_STATES, CLAIM_TYPES } from '@garantia/shared/claims/state'
import { chosenOf } from '../../../lib/search-fields.ts'
import type { ClaimFilters, ClaimsSearch } from './claims-search.ts'

/** The known values of a comma-separated filter. */
const known = (list: string, values: readonly string[]) =>
  chosenOf(list)
    .filter((one) => values.includes(one))
    .join(',') || undefined
const flagOf = (text: ClaimsSearch['is_open']) => (text === '' ? undefined : text === 'true')
/** Filter criteria as the server takes them; inactive filters are undefined. */
export const claimCriteriaOf = (state: ClaimFilters) => ({
  search: state.search || undefined,
  state: known(state.state, CLAIM_STATES),
  type: known(state.type, CLAIM_TYPES),
  brand_id: state.brand_id || undefined,
  company_id: state.company_id || undefined,
  sent_from: state.sent_from || undefined,
  sent_until: state.sent_until || undefined,
  due_until: state.due_until || undefined,
  is_open: flagOf(state.is_open),
  is_unappealed: flagOf(state.is_unappealed),
  is_overpaid: flagOf(state.is_overpaid),
  technician: state.technician || undefined,
  is_refused: flagOf(state.is_refused),
  refused_from: state.refused_from || undefined,
  refused_until: state.refused_until || undefined,
  refusal_reason: known(state.refusal_reason, REFUSAL_REASONS),
  refused_category: known(state.refused_category, REFUSED_CATEGORIES),
  first_answered_from: state.first_answered_from || undefined,
  first_answered_until: state.first_answered_until || undefined,
  is_first_accepted: flagOf(state.is_first_accepted),
  credited_from: state.credited_from || undefined,
  credited_until: state.credited_until || undefined,
})
export const claimSortOf = (by: string): ClaimSort => CLAIM_SORTS.find((one) => one === by) ?? 'created_at'
/** What the server is asked for. */
export const claimListInput = ({ page, limit, sort, direction, ...filter }: ClaimsSearch) => ({
  ...claimCriteriaOf(filter),
  sort: claimSortOf(sort),
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
export function nextClaimSort(now: Pick<ClaimsSearch, 'sort' | 'direction'>, by: string) {
  if (by === now.sort) return { sort: by, direction: now.direction === 'asc' ? 'desc' : 'asc' } as const
  return { sort: by, direction: by === 'due_on' ? 'asc' : 'desc' } as const
}
