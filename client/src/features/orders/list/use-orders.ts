import { ORDER_PAGE_SIZE } from '@garantia/shared/orders/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { trpc } from '../../../lib/trpc.ts'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import type { ListState } from './list-state.ts'
import { criteriaOf } from './orders-search.ts'

/**
 * Poll interval while files of listed orders are being converted, so that «Convertendo» ends by itself.
 * Orders waiting for user action are not polled.
 */
const CONVERTING_MS = 5_000

/** The page of orders given by the URL, and the summary above it. */
export function useOrders({ state, replacePage }: ListState) {
  const { page, sort, direction } = state
  const criteria = criteriaOf(state)
  const orders = trpc.orderList.page.useQuery(
    { ...criteria, sort, direction, skip: (page - 1) * ORDER_PAGE_SIZE, limit: ORDER_PAGE_SIZE },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) =>
        data?.items.some((order) => order.conversion_progress?.is_running) ? CONVERTING_MS : false,
    },
  )
  const { status: _, ...aboveStatus } = criteria
  const summary = trpc.orderList.summary.useQuery(aboveStatus, { placeholderData: keepPreviousData })
  const pageCount = Math.max(1, Math.ceil((orders.data?.total ?? 0) / ORDER_PAGE_SIZE))
  usePageInRange(page, orders.isPlaceholderData ? undefined : orders.data && pageCount, replacePage)
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
