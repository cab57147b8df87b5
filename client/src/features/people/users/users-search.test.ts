import { expect, test } from 'vitest'
import { NO_USER_FILTER, usersSearch } from './users-search.ts'

test.each([
  [{}, NO_USER_FILTER],
  [
    { page: '2', search: '123' },
    { page: 2, search: '123' },
  ],
  [{ page: '', search: '' }, NO_USER_FILTER],
  [{ page: '-1', search: ['a'] }, NO_USER_FILTER],
])('%j is parsed as %j (ADM-2)', (address, state) => expect(usersSearch.parse(address)).toEqual(state))
