import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import {
  type OrderCriteria,
  type OrderFilter,
  type OrderPage,
  type OrderSummary,
  SEARCH_COUNT_CAP,
} from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { readRows } from '../order/service.ts'
import { isCoveredByTotals } from './criteria.ts'
import {
  countMatchesByStatus,
  countOrders,
  pageOfIds,
  type Slice,
  type Sorting,
  sortingOf,
} from './queries.ts'
import { countByStatus } from './sums.ts'

export { forEachOrder, removeMany, resumeMany, setStatusOfMany } from './bulk.ts'
export { exportOrders } from './export.ts'
export { findOrders, ordersNumbered, readableOrders } from './find.ts'
export { readNeighbours } from './neighbours.ts'
export { isUnfoldedDelta, sumKeyOf } from './sums.ts'

/**
 * One page of orders in the caller's scope, with the number of matches. A search is counted up to 1 000, or
 * completely with `exact`, as REST clients page by the total (D-55). Refuses an anonymous caller with 401.
 */
export async function listOrders(ctx: Ctx, filter: OrderFilter, exact = false): Promise<OrderPage> {
  authorize(ctx.actor, 'order.list')
  const { skip = 0, limit = DEFAULT_LIMIT, sort, direction, ...criteria } = filter
  const sorting = sortingOf({ sort, direction })
  const { ids, ...counted } = isCoveredByTotals(criteria)
    ? await countedPage(ctx, criteria, sorting, { skip, limit })
    : await searchedPage(ctx, criteria, sorting, { skip, limit }, exact)
  return { items: await readRows(ctx, ids), ...counted, skip, limit }
}

async function countedPage(ctx: Ctx, criteria: OrderCriteria, sorting: Sorting, slice: Slice) {
  const counted = await countOrders(ctx, criteria)
  return { ids: await pageOfIds(ctx, criteria, sorting, { ...slice, total: counted.total }), ...counted }
}
async function searchedPage(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Slice,
  exact: boolean,
) {
  const [ids, counted] = await Promise.all([
    pageOfIds(ctx, criteria, sorting, slice),
    countOrders(ctx, criteria, exact ? null : undefined),
  ])
  return { ids, ...counted }
}

/**
 * The counts of the cards above the list. They apply every filter but the status, which a click on a card
 * sets (D-28). For a search they are capped at 1 000 and marked as not exact. Refuses an anonymous caller
 * with 401.
 */
export async function summarizeOrders(
  ctx: Ctx,
  criteria: Omit<OrderCriteria, 'status'>,
): Promise<OrderSummary> {
  authorize(ctx.actor, 'order.list')
  const counts = isCoveredByTotals(criteria)
    ? await countByStatus(ctx, criteria)
    : await countMatchesByStatus(ctx, criteria, SEARCH_COUNT_CAP + 1)
  const of = (...statuses: OrderStatus[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((sum, { orders }) => sum + orders, 0)
  const total = counts.reduce((sum, { orders }) => sum + orders, 0)
  const isExact = isCoveredByTotals(criteria) || total <= SEARCH_COUNT_CAP
  const shown = (orders: number) => (isExact ? orders : Math.min(orders, SEARCH_COUNT_CAP))
  return {
    total: shown(total),
    completed: shown(of('completed')),
    in_analysis: shown(of('in_analysis')),
    pending: shown(of('pending', 'pending_upload')),
    under_way: shown(of('created', 'in_progress', 'ready')),
    cancelled: shown(of('cancelled')),
    is_exact: isExact,
  }
}
