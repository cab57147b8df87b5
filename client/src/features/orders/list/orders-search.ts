import { DIRECTIONS, ORDER_PAGE_SIZE, ORDER_SORTS, type OrderSort } from '@garantia/shared/orders/schema'
import { CONVERSION_STATUSES, ORDER_STATUSES } from '@garantia/shared/orders/status'
import type { SavedView } from '@garantia/shared/orders/views'
import { z } from 'zod'

/** Defaults of the URL parameters; values equal to the default are omitted from the URL. */
export const NO_FILTER = {
  search: '',
  status: '',
  brand_id: 0,
  company_id: 0,
  conversion_status: '',
  min_days_open: 0,
  sort: 'opened_at',
  direction: 'desc',
  page: 1,
} as const

/** Comma-separated list; unknown values are dropped. */
const listOf = (known: readonly string[]) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(','))].filter((one) => known.includes(one)).join(','))
    .default('')
    .catch('')
const number = (min: number, max: number) => z.coerce.number().int().min(min).max(max).default(min).catch(min)
const MAX_ID = 999_999_999_999_999

/** URL state of the list; an invalid parameter falls back to its default. */
export const ordersSearch = z.object({
  search: z.string().max(200).default('').catch(''),
  status: listOf(ORDER_STATUSES),
  brand_id: number(0, MAX_ID),
  company_id: number(0, MAX_ID),
  conversion_status: listOf(CONVERSION_STATUSES),
  min_days_open: number(0, 10_000),
  sort: z.enum(ORDER_SORTS).default(NO_FILTER.sort).catch(NO_FILTER.sort),
  direction: z.enum(DIRECTIONS).default(NO_FILTER.direction).catch(NO_FILTER.direction),
  page: number(1, 100_000),
})
export type OrdersSearch = z.output<typeof ordersSearch>

/** Filter criteria in the format of the server and of saved views; inactive filters are undefined. */
export const criteriaOf = (state: Omit<OrdersSearch, 'sort' | 'direction' | 'page'>) => ({
  search: state.search || undefined,
  status: state.status || undefined,
  brand_id: state.brand_id || undefined,
  company_id: state.company_id || undefined,
  conversion_status: state.conversion_status || undefined,
  min_days_open: state.min_days_open || undefined,
})
/** What the server is asked for: the page, and the summary above it, which counts every status. */
export function listInputs({ page, sort, direction, ...filter }: OrdersSearch) {
  const { status, ...aboveStatus } = criteriaOf(filter)
  const skip = (page - 1) * ORDER_PAGE_SIZE
  return {
    page: { ...aboveStatus, status, sort, direction, skip, limit: ORDER_PAGE_SIZE },
    summary: aboveStatus,
  }
}

const isSortedByHand = ({ sort, direction }: OrdersSearch) =>
  sort !== NO_FILTER.sort || direction !== NO_FILTER.direction
const sortOf = ({ sort, direction }: OrdersSearch) => ({ sort, direction })

export const isFiltered = (state: OrdersSearch) =>
  Object.values(criteriaOf(state)).some((value) => value !== undefined)

type View = Pick<SavedView, 'name' | 'criteria'>
/** The state as criteria of a saved view, without the page. */
export const viewOf = (state: OrdersSearch): View['criteria'] => ({
  ...criteriaOf(state),
  ...(isSortedByHand(state) && sortOf(state)),
})
/** List state of a view. */
export const stateOf = ({ criteria }: View): OrdersSearch => ordersSearch.parse(criteria)

const serialized = (state: OrdersSearch) => JSON.stringify({ ...criteriaOf(state), ...sortOf(state) })
export const matchesView = (state: OrdersSearch, view: View) =>
  serialized(state) === serialized(stateOf(view))

/**
 * Dates and totals sort descending first, names and numbers ascending; the same column again reverses the
 * direction.
 */
export function nextSort(now: Pick<OrdersSearch, 'sort' | 'direction'>, by: OrderSort) {
  if (by === now.sort) return { sort: by, direction: now.direction === 'asc' ? 'desc' : 'asc' } as const
  return { sort: by, direction: by === 'opened_at' || by === 'total_value' ? 'desc' : 'asc' } as const
}
