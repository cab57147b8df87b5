import { ORDER_PAGE_SIZE } from '@garantia/shared/orders/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { trpc } from '../../../lib/trpc.ts'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import type { ListState } from './list-state.ts'
import { listInputs } from './orders-search.ts'

/**
 * Poll interval while files of listed orders are being converted, so that «Convertendo» ends by itself.
 * Orders waiting for user action are not polled.
 */
const CONVERTING_MS = 5_000

/** The page of orders given by the URL, and the summary above it. */
export function useOrders({ state, replacePage }: ListState) {
  const inputs = listInputs(state)
  const orders = trpc.orderList.page.useQuery(inputs.page, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((order) => order.conversion_progress?.is_running) ? CONVERTING_MS : false,
  })
  const summary = trpc.orderList.summary.useQuery(inputs.summary, { placeholderData: keepPreviousData })
  const pageCount = Math.max(1, Math.ceil((orders.data?.total ?? 0) / ORDER_PAGE_SIZE))
  usePageInRange(state.page, orders.isPlaceholderData ? undefined : orders.data && pageCount, replacePage)
  return {
    orders,
    summary,
    isRefreshing: orders.isFetching && !orders.isPending,
    refresh: () => {
      void orders.refetch()
      void summary.refetch()
    },
  }
}
