import { keepPreviousData } from '@tanstack/react-query'
import { trpc } from '../../../lib/trpc.ts'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { useListNews } from './list-news.ts'
import type { ListState } from './list-state.ts'
import { listInput } from './orders-search.ts'

/** The list given by the URL: its page of orders and the cards above it, and what others have changed since. */
export function useOrders({ state, replacePage }: ListState) {
  const input = listInput(state)
  const orders = trpc.orderList.page.useQuery(input, { placeholderData: keepPreviousData })
  const pageCount = Math.max(1, Math.ceil((orders.data?.total ?? 0) / state.limit))
  usePageInRange(state.page, orders.isPlaceholderData ? undefined : orders.data && pageCount, replacePage)
  return {
    orders,
    news: useListNews(input, orders),
    isRefreshing: orders.isFetching && !orders.isPending,
    refresh: () => void orders.refetch(),
  }
}
