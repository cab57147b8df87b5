import type { OrderSort } from '@garantia/shared/orders/criteria'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { chosenOf } from '../../../lib/search-fields.ts'
import { FIRST_PAGE, type FilterName, NO_FILTER, nextSort, type OrdersSearch } from './orders-search.ts'

const route = getRouteApi('/app/lista-os')

/**
 * URL state of the list with its transitions. Each is an entry of the history, so that Back returns to the list as it
 * was; only what goes on with a change already made replaces it.
 */
export function useListState() {
  const state = route.useSearch()
  const navigate = useNavigate()
  const go = (change: Partial<OrdersSearch>, replace: boolean) =>
    void navigate({
      from: '/lista-os',
      to: '/lista-os',
      search: (now) => ({ ...FIRST_PAGE, ...now, page: 1, ...change }),
      replace,
      resetScroll: false,
    })
  return {
    state,
    filterBy: (change: Partial<OrdersSearch>) => go(change, false),
    /** One more choice in a menu that is still open. */
    goOnFiltering: (change: Partial<OrdersSearch>) => go(change, true),
    /** Further letters of a search replace its first ones, so that Back does not step through them. */
    searchFor: (search: string) => go({ search }, state.search !== ''),
    sortBy: (by: string) => go(nextSort(state, by as OrderSort), false),
    turnTo: (page: number) => go({ page }, false),
    resize: (limit: number) => go({ limit }, false),
    replacePage: (last: number) => go({ page: last }, true),
    show: (view: OrdersSearch) => go(view, false),
    clear: () => go(NO_FILTER, false),
  }
}
export type ListState = ReturnType<typeof useListState>

/** Filters the list by several values of one parameter. */
export const listFilter = ({ state, filterBy, goOnFiltering }: ListState, name: FilterName) => ({
  chosen: chosenOf(String(state[name])),
  onChange: (values: string[], isFirst: boolean) =>
    (isFirst ? filterBy : goOnFiltering)({ [name]: values.join(',') }),
})
