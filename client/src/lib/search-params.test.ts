import { expect, test } from 'vitest'
import { readSearchParams } from './search-params.ts'

test.each([
  ['?search=11222333000181&is_active=false', { search: '11222333000181', is_active: 'false' }],
  ['search=000123&page=2', { search: '000123', page: '2' }],
  ['?search=&a=1&a=2', { search: '', a: '2' }],
  ['', {}],
])('%s is parsed as %j (COMP-3, COMP-5, ADM-2)', (address, params) =>
  expect(readSearchParams(address)).toEqual(params),
)
