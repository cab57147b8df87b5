import {
  DIRECTIONS,
  MINE,
  NOBODY,
  ORDER_PAGE_SIZE,
  ORDER_PAGE_SIZES,
  ORDER_SORTS,
  type OrderSort,
} from '@garantia/shared/orders/criteria'
import {
  CONVERSION_STATUSES,
  type ConversionStatus,
  ORDER_STATUSES,
  type OrderStatus,
} from '@garantia/shared/orders/status'
import type { View, ViewCriteria } from '@garantia/shared/views/schema'
import { z } from 'zod'
import { day, isId, listOf, number, pageSize } from '../../../lib/search-fields.ts'

/** Defaults of the URL parameters; values equal to the default are omitted from the URL. */
export const NO_FILTER = {
  search: '',
  status: '',
  brand_id: '',
  company_id: '',
  conversion_status: '',
  responsible: '',
  start_date: '',
  end_date: '',
  min_days_open: 0,
  max_days_open: 0,
} as const
export const FIRST_PAGE = {
  ...NO_FILTER,
  sort: 'opened_at',
  direction: 'desc',
  limit: ORDER_PAGE_SIZE,
  page: 1,
} as const

/** URL state of the list; an invalid parameter falls back to its default. */
export const ordersSearch = z.object({
  search: z.string().max(200).default('').catch(''),
  status: listOf((one) => ORDER_STATUSES.includes(one as OrderStatus)),
  brand_id: listOf(isId),
  company_id: listOf(isId),
  conversion_status: listOf((one) => CONVERSION_STATUSES.includes(one as ConversionStatus)),
  responsible: listOf((one) => one === MINE || one === NOBODY || isId(one)),
  start_date: day,
  end_date: day,
  min_days_open: number(0, 10_000),
  max_days_open: number(0, 10_000),
  sort: z.enum(ORDER_SORTS).default(FIRST_PAGE.sort).catch(FIRST_PAGE.sort),
  direction: z.enum(DIRECTIONS).default(FIRST_PAGE.direction).catch(FIRST_PAGE.direction),
  limit: pageSize(ORDER_PAGE_SIZES, ORDER_PAGE_SIZE),
  page: number(1, 100_000),
})
export type OrdersSearch = z.output<typeof ordersSearch>
type Filter = Omit<OrdersSearch, 'sort' | 'direction' | 'limit' | 'page'>
export type FilterName = keyof Filter

/** Filter criteria in the format of the server and of saved views; inactive filters are undefined. */
export const criteriaOf = (state: Filter) => ({
  search: state.search || undefined,
  status: state.status || undefined,
  brand_id: state.brand_id || undefined,
  company_id: state.company_id || undefined,
  conversion_status: state.conversion_status || undefined,
  responsible: state.responsible || undefined,
  start_date: state.start_date || undefined,
  end_date: state.end_date || undefined,
  min_days_open: state.min_days_open || undefined,
  max_days_open: state.max_days_open || undefined,
})
/** What the server is asked for. */
export const listInput = ({ page, limit, sort, direction, ...filter }: OrdersSearch) => ({
  ...criteriaOf(filter),
  sort,
  direction,
  skip: (page - 1) * limit,
  limit,
})

/** How many filters narrow the list, the search left out. */
export const countFilters = ({ search: _, ...state }: OrdersSearch) =>
  Object.values(criteriaOf({ ...state, search: '' })).filter((value) => value !== undefined).length

const isSortedByHand = ({ sort, direction }: OrdersSearch) =>
  sort !== FIRST_PAGE.sort || direction !== FIRST_PAGE.direction
const sortOf = ({ sort, direction }: OrdersSearch) => ({ sort, direction })

export const isFiltered = (state: OrdersSearch) =>
  Object.values(criteriaOf(state)).some((value) => value !== undefined)

/** The state as criteria of a saved view, without the page. */
export const viewOf = (state: OrdersSearch): ViewCriteria => ({
  ...criteriaOf(state),
  ...(isSortedByHand(state) && sortOf(state)),
  ...(state.limit !== ORDER_PAGE_SIZE && { limit: state.limit }),
})
/** List state of a view; one saved without a page size keeps the present one. */
export const stateOf = ({ criteria }: View, limit: number = ORDER_PAGE_SIZE): OrdersSearch =>
  ordersSearch.parse({ limit, ...criteria })

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
