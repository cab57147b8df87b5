import { expect, test } from 'vitest'
import { companiesSearch, NO_COMPANY_FILTER } from './companies-search.ts'

test.each([
  [{}, NO_COMPANY_FILTER],
  [
    { page: '3', search: '000123' },
    { ...NO_COMPANY_FILTER, page: 3, search: '000123' },
  ],
  [
    { type: 'matriz', is_active: 'false' },
    { ...NO_COMPANY_FILTER, type: 'matriz', is_active: 'false' },
  ],
  [{ page: '', search: '', type: '', is_active: '' }, NO_COMPANY_FILTER],
  [{ page: 'x', search: ['a', 'b'], type: 'nope', is_active: 'talvez' }, NO_COMPANY_FILTER],
])('%j is parsed as %j (COMP-2 to COMP-6)', (address, state) =>
  expect(companiesSearch.parse(address)).toEqual(state),
)
