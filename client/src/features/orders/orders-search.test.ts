import { expect, test } from 'vitest'
import { NO_FILTER, ordersSearch } from './orders-search.ts'

test.each([
  [{}, NO_FILTER],
  [
    { search: '100231', page: '3' },
    { ...NO_FILTER, search: '100231', page: 3 },
  ],
  [{ search: '000123' }, { ...NO_FILTER, search: '000123' }],
  [
    { status: 'ready', brand_id: '7' },
    { ...NO_FILTER, status: 'ready', brand_id: 7 },
  ],
  [{ status: 'nope', brand_id: 'x', page: -1, search: ['a', 'b'] }, NO_FILTER],
])('%j reads as %j', (address, state) => expect(ordersSearch.parse(address)).toEqual(state))
