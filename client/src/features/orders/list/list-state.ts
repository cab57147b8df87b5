import type { OrderSort } from '@garantia/shared/orders/schema'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NO_FILTER, nextSort, type OrdersSearch } from './orders-search.ts'

const route = getRouteApi('/app/lista-os')

/** The address of the list and the ways to move it; turning a page is a step that Back takes again. */
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
    /** A select passes over its options on the way to one. */
    chooseFrom: (change: Partial<OrdersSearch>) => go(change, true),
    /** While typing: a step back is not one letter. */
    searchFor: (search: string) => go({ search }, true),
    sortBy: (by: string) => go(nextSort(state, by as OrderSort), true),
    turnTo: (page: number) => go({ page }, false),
    replacePage: (last: number) => go({ page: last }, true),
    show: (view: OrdersSearch) => go(view, false),
    clear: () => go({ ...NO_FILTER, sort: state.sort, direction: state.direction }, false),
  }
}
export type ListState = ReturnType<typeof useListState>
