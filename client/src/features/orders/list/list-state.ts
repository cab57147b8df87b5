import type { OrderSort } from '@garantia/shared/orders/schema'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NO_FILTER, nextSort, type OrdersSearch } from './orders-search.ts'

const route = getRouteApi('/app/lista-os')

/** URL state of the list with its transitions; turning a page pushes a history entry. */
export function useListState() {
  const state = route.useSearch()
  const navigate = useNavigate()
  const go = (change: Partial<OrdersSearch>, replace: boolean) =>
    void navigate({
      to: '/lista-os',
      search: (now) => ({ ...NO_FILTER, ...now, page: 1, ...change }),
      replace,
      resetScroll: false,
    })
  return {
    state,
    filterBy: (change: Partial<OrdersSearch>) => go(change, false),
    /**
     * For selects: replaces the history entry, because keyboard use fires a change for every option passed.
     */
    chooseFrom: (change: Partial<OrdersSearch>) => go(change, true),
    /** While typing: replaces the history entry, so that Back does not step through single characters. */
    searchFor: (search: string) => go({ search }, true),
    sortBy: (by: string) => go(nextSort(state, by as OrderSort), true),
    turnTo: (page: number) => go({ page }, false),
    replacePage: (last: number) => go({ page: last }, true),
    show: (view: OrdersSearch) => go(view, false),
    clear: () => go({ ...NO_FILTER, sort: state.sort, direction: state.direction }, false),
  }
}
export type ListState = ReturnType<typeof useListState>
