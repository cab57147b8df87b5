import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import { trpc } from '../../../../lib/trpc.ts'
import { matchesView, type OrdersSearch } from '../orders-search.ts'

/** All views, and the one the list currently shows. */
export function useViews(state: OrdersSearch) {
  const saved = trpc.orderViews.list.useQuery(undefined, { staleTime: 60_000 })
  const views = saved.data ?? []
  const mine = views.filter(({ is_mine }) => is_mine)
  const others = views.filter(({ is_mine }) => !is_mine)
  const used = [...BUILT_IN_VIEWS, ...mine, ...others].find((view) => matchesView(state, view))
  return { mine, others, used }
}
