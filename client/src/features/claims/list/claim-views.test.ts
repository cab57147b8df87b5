import { CLAIM_VIEWS } from '@garantia/shared/claims/views'
import { expect, test } from 'vitest'
import { isFilteredClaims } from './claim-criteria.ts'
import { claimStateOf, claimViewOf, matchesClaimView } from './claim-views.ts'
import { claimsSearch } from './claims-search.ts'

const MONDAY = new Date('2026-11-23T15:00:00Z')
const THURSDAY = new Date('2026-11-26T15:00:00Z')

test.each(CLAIM_VIEWS)('«$name» is a URL state that filters the list', (view) => {
  const state = claimStateOf(view, MONDAY)
  expect(isFilteredClaims(state)).toBe(true)
  expect(matchesClaimView(state, view, MONDAY)).toBe(true)
})

test('a view keeps filters, sort and page size, without the page', () => {
  const state = claimsSearch.parse({
    search: 'civic',
    state: 'sent,returned',
    brand_id: '3,7',
    is_open: 'true',
    is_refused: 'false',
    credited_from: '2026-10-01',
    credited_until: '2026-10-31',
    sort: 'due_on',
    direction: 'asc',
    limit: '50',
  })
  const view = { name: 'Minhas', criteria: claimViewOf({ ...state, page: 3 }, MONDAY) }
  expect(claimStateOf(view, THURSDAY)).toEqual(state)
  expect(matchesClaimView({ ...state, page: 9 }, view, THURSDAY)).toBe(true)
  expect(matchesClaimView({ ...state, direction: 'desc' }, view, THURSDAY)).toBe(false)
})

test('days that the screen counts from today move on; other days stay', () => {
  const state = claimsSearch.parse({ sent_until: '2026-11-08', due_until: '2026-11-30' })
  const view = { name: 'Da semana', criteria: claimViewOf(state, MONDAY) }
  expect(view.criteria).toMatchObject({ sent_days_ago: 15, due_in_days: 7 })
  expect(claimStateOf(view, THURSDAY)).toMatchObject({ sent_until: '2026-11-11', due_until: '2026-12-03' })
  const fixed = claimsSearch.parse({
    sent_from: '2026-11-01',
    sent_until: '2026-11-08',
    due_until: '2026-11-29',
  })
  expect(claimStateOf({ name: 'Fixa', criteria: claimViewOf(fixed, MONDAY) }, THURSDAY)).toEqual(fixed)
})
