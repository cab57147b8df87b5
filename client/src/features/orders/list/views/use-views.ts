import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import { trpc } from '../../../../lib/trpc.ts'
import { matchesView, type OrdersSearch } from '../orders-search.ts'

/** The views there are, and the one the list shows now. */
export function useViews(state: OrdersSearch) {
  const saved = trpc.orderViews.list.useQuery(undefined, { staleTime: 60_000 })
  const views = saved.data ?? []
  const mine = views.filter(({ is_mine }) => is_mine)
  const others = views.filter(({ is_mine }) => !is_mine)
  const used = [...BUILT_IN_VIEWS, ...mine, ...others].find((view) => matchesView(state, view))
  return { mine, others, used }
}
