import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import { describe, expect, test } from 'vitest'
import {
  criteriaOf,
  FIRST_PAGE,
  isFiltered,
  matchesView,
  nextSort,
  ordersSearch,
  stateOf,
  viewOf,
} from './orders-search.ts'

describe('the URL is the state of the list (LIST-5, LIST-6, LIST-7)', () => {
  test.each([
    [{}, {}],
    [
      { search: '100231', page: '3' },
      { search: '100231', page: 3 },
    ],
    [{ search: '000123' }, { search: '000123' }],
    [
      { status: 'ready', brand_id: '7', company_id: '4' },
      { status: 'ready', brand_id: '7', company_id: '4' },
    ],
    [{ status: 'pending,nope,pending_upload,pending' }, { status: 'pending,pending_upload' }],
    [
      { conversion_status: 'failed', min_days_open: '20' },
      { conversion_status: 'failed', min_days_open: 20 },
    ],
    [
      { brand_id: '7,x,4,7', responsible: 'me,none,9,you' },
      { brand_id: '7,4', responsible: 'me,none,9' },
    ],
    [
      { start_date: '2026-11-01', end_date: '31/11/2026', limit: '50', max_days_open: '29' },
      { start_date: '2026-11-01', limit: 50, max_days_open: 29 },
    ],
    [{ limit: '11' }, {}],
    [
      { sort: 'total_value', direction: 'asc' },
      { sort: 'total_value', direction: 'asc' },
    ],
    [{ status: 'nope', brand_id: 'x', page: -1, search: ['a', 'b'], sort: 'id', direction: 'up' }, {}],
  ])('%j is parsed as %j', (address, state) =>
    expect(ordersSearch.parse(address)).toEqual({ ...FIRST_PAGE, ...state }),
  )

  test('inactive criteria are omitted from the query', () => {
    expect(criteriaOf(FIRST_PAGE)).toEqual({})
    expect(isFiltered({ ...FIRST_PAGE, page: 4, sort: 'os_number' })).toBe(false)
    expect(isFiltered({ ...FIRST_PAGE, company_id: '3' })).toBe(true)
  })
})

describe('views', () => {
  test('a view is the URL state without the page, and restores it', () => {
    const state = {
      ...FIRST_PAGE,
      search: 'civic',
      brand_id: '7',
      sort: 'os_number',
      direction: 'asc',
    } as const
    const view = { name: 'Meus Civic', criteria: viewOf({ ...state, page: 3 }) }
    expect(view.criteria).toEqual({ search: 'civic', brand_id: '7', sort: 'os_number', direction: 'asc' })
    expect(stateOf(view)).toEqual(state)
    expect(matchesView({ ...state, page: 9 }, view)).toBe(true)
    expect(matchesView({ ...state, direction: 'desc' }, view)).toBe(false)
  })

  test('a view saved before lists could be chosen is read, and one without a page size keeps the present one', () => {
    expect(stateOf({ name: 'Antiga', criteria: { brand_id: 7, company_id: 4 } })).toMatchObject({
      brand_id: '7',
      company_id: '4',
      limit: 10,
    })
    expect(stateOf({ name: 'Antiga', criteria: {} }, 50).limit).toBe(50)
    const large = { name: 'Grande', criteria: viewOf({ ...FIRST_PAGE, limit: 100 }) }
    expect(stateOf(large, 25).limit).toBe(100)
    expect(matchesView({ ...FIRST_PAGE, limit: 25 }, large)).toBe(true)
  })

  test.each(BUILT_IN_VIEWS)('«$name» is a URL state that filters the list', (view) => {
    const state = stateOf({ ...view, name: view.name })
    expect(isFiltered(state)).toBe(true)
    expect(matchesView(state, view)).toBe(true)
  })
})

test("sorting starts in the column's default direction and reverses on repeat", () => {
  expect(nextSort(FIRST_PAGE, 'opened_at')).toEqual({ sort: 'opened_at', direction: 'asc' })
  expect(nextSort(FIRST_PAGE, 'customer_name')).toEqual({ sort: 'customer_name', direction: 'asc' })
  expect(nextSort(FIRST_PAGE, 'total_value')).toEqual({ sort: 'total_value', direction: 'desc' })
})
