import { CLAIM_VIEWS } from '@garantia/shared/claims/views'
import { daysBefore, isoDay } from '@garantia/shared/format'
import { ORDER_PAGE_SIZE } from '@garantia/shared/orders/criteria'
import type { View, ViewCriteria } from '@garantia/shared/views/schema'
import { claimCriteriaOf, claimSortOf } from './claim-criteria.ts'
import { type ClaimsSearch, claimsSearch, FIRST_CLAIM_PAGE } from './claims-search.ts'

/** The filter by the next date, as days from today; a view keeps this distance. */
export const DUE_CHOICES = [
  { days: -1, label: 'Vencidas' },
  { days: 0, label: 'Vencem até hoje' },
  { days: 7, label: 'Vencem em 7 dias' },
  { days: 30, label: 'Vencem em 30 dias' },
] as const
const SENT_DAYS_AGO = CLAIM_VIEWS.flatMap(({ criteria }) => criteria.sent_days_ago ?? [])

const sortOf = ({ sort, direction }: ClaimsSearch) => ({ sort: claimSortOf(sort), direction })
const isSortedByHand = ({ sort, direction }: ClaimsSearch) =>
  claimSortOf(sort) !== FIRST_CLAIM_PAGE.sort || direction !== FIRST_CLAIM_PAGE.direction

/** The state as criteria of a saved view, without the page. */
export function claimViewOf(state: ClaimsSearch, now: Date): ViewCriteria {
  const { sent_until, due_until, ...criteria } = claimCriteriaOf(state)
  const today = isoDay(now)
  const ago =
    state.sent_from === '' ? SENT_DAYS_AGO.find((days) => daysBefore(today, days) === sent_until) : undefined
  const ahead = DUE_CHOICES.find(({ days }) => daysBefore(today, -days) === due_until)?.days
  return {
    ...criteria,
    ...(ago === undefined ? { sent_until } : { sent_days_ago: ago }),
    ...(ahead === undefined ? { due_until } : { due_in_days: ahead }),
    ...(isSortedByHand(state) && sortOf(state)),
    ...(state.limit !== ORDER_PAGE_SIZE && { limit: state.limit }),
  }
}

/** List state of a view as of today; one saved without a page size keeps the present one. */
export function claimStateOf({ criteria }: View, now: Date, limit: number = ORDER_PAGE_SIZE): ClaimsSearch {
  const { sent_days_ago: ago, due_in_days: ahead, ...rest } = criteria
  const today = isoDay(now)
  return claimsSearch.parse({
    limit,
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, typeof value === 'boolean' ? String(value) : value]),
    ),
    ...(typeof ago === 'number' && { sent_until: daysBefore(today, ago) }),
    ...(typeof ahead === 'number' && { due_until: daysBefore(today, -ahead) }),
  })
}

const serialized = (state: ClaimsSearch) => JSON.stringify({ ...claimCriteriaOf(state), ...sortOf(state) })
export const matchesClaimView = (state: ClaimsSearch, view: View, now: Date) =>
  serialized(state) === serialized(claimStateOf(view, now))
