import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { chosenOf } from '../../../lib/search-fields.ts'
import { nextClaimSort } from './claim-criteria.ts'
import { type ClaimFilters, type ClaimsSearch, FIRST_CLAIM_PAGE, NO_CLAIM_FILTER } from './claims-search.ts'

const route = getRouteApi('/app/solicitacoes')

/** URL state of the list with its transitions, each an entry of the history, as in the list of orders. */
export function useClaimsState() {
  const state = route.useSearch()
  const navigate = useNavigate()
  const go = (change: Partial<ClaimsSearch>, replace: boolean) =>
    void navigate({
      from: '/solicitacoes',
      to: '/solicitacoes',
      search: (now) => ({ ...FIRST_CLAIM_PAGE, ...now, page: 1, ...change }),
      replace,
      resetScroll: false,
    })
  return {
    state,
    filterBy: (change: Partial<ClaimFilters>, replace = false) => go(change, replace),
    searchFor: (search: string) => go({ search }, state.search !== ''),
    sortBy: (by: string) => go(nextClaimSort(state, by), false),
    turnTo: (page: number) => go({ page }, false),
    resize: (limit: number) => go({ limit }, false),
    replacePage: (last: number) => go({ page: last }, true),
    show: (view: ClaimsSearch) => go(view, false),
    clear: () => go(NO_CLAIM_FILTER, false),
  }
}
export type ClaimsState = ReturnType<typeof useClaimsState>

/** Filters the list by several values of one parameter. */
export const claimFilter = ({ state, filterBy }: ClaimsState, name: 'state' | 'brand_id' | 'company_id') => ({
  chosen: chosenOf(state[name]),
  /** One more choice in a menu that is still open replaces the address. */
  onChange: (values: string[], isFirst: boolean) => filterBy({ [name]: values.join(',') }, !isFirst),
})
