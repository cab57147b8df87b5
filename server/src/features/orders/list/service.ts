import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import type { OrderCriteria, OrderFilter, OrderListQuery } from '@garantia/shared/orders/criteria'
import { type OrderPage, type OrderSummary, SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inSnapshot } from '../../../kernel/context.ts'
import { withFiles } from '../order/service.ts'
import { countedPage, countedScreen } from './counted-page.ts'
import { isCoveredByTotals } from './criteria.ts'
import { countSearch } from './exact-total.ts'
import { countMatchesByStatus, sortingOf } from './queries.ts'
import { type CountAll, searchedPage } from './searched-page.ts'
import { countByStatus, type StatusCount } from './sums.ts'

export { assignMany } from './assignment.ts'
export { forEachOf, forEachOrder, removeMany, resumeMany, setStatusOfMany } from './bulk.ts'
export {
  areFoundOpenly,
  containsWords,
  hasWords,
  isAnyOf,
  isOneOf,
  type Searching,
  type SearchWords,
  searchWords,
  startOfDay,
} from './criteria.ts'
export { exportOrders } from './export.ts'
export { findOrders, ordersNumbered, readableOrders } from './find.ts'
export { FORWARDS, listLengths } from './first-half.ts'
export { readNeighbours } from './neighbours.ts'
export { recordPrint } from './print-record.ts'
export { countOrders } from './queries.ts'
export { readRelated } from './related.ts'
export { beginExport, type Cell, EXPORT_MIME, type SheetColumn, sheetStream } from './sheet.ts'
export { isUnfoldedDelta, sumKeyOf } from './sums.ts'

/**
 * One page of orders in the caller's scope, with the number of matches, which is counted up to 1 000 where no sums
 * are kept (D-55). Refuses an anonymous caller with 401.
 */
export const listOrders = (ctx: Ctx, filter: OrderFilter): Promise<OrderPage> => onePage(ctx, filter)

/**
 * The same for REST clients, which page by the total: `exact_total` counts all matches where no sums are kept. Such a
 * count ends after 2 s, with 503, or when `signal` is aborted.
 */
export const listWithTotal = (
  ctx: Ctx,
  { exact_total, ...filter }: OrderListQuery,
  signal?: AbortSignal,
): Promise<OrderPage> =>
  onePage(ctx, filter, exact_total ? (criteria) => countSearch(ctx, criteria, signal) : undefined)

async function onePage(ctx: Ctx, filter: OrderFilter, countAll?: CountAll): Promise<OrderPage> {
  authorize(ctx.actor, 'order.list')
  const { skip = 0, limit = DEFAULT_LIMIT, sort, direction, ...criteria } = filter
  const sorting = sortingOf({ sort, direction })
  const page = isCoveredByTotals(criteria)
    ? await countedPage(ctx, criteria, sorting, { skip, limit })
    : await searchedPage(ctx, criteria, sorting, { skip, limit }, countAll)
  return { ...page, skip, limit }
}

export type OrderList = Omit<OrderPage, 'items'> & { items: ListedOrder[]; summary: OrderSummary }

/**
 * What the screen of the list shows, of one moment: a page, with what the files of its orders wait for, the number
 * of matches, and the cards above them. Refuses an anonymous caller with 401.
 */
export async function readList(ctx: Ctx, filter: OrderFilter): Promise<OrderList> {
  const { status: _, ...aboveStatus } = filter
  const found = await oneStatement(ctx, filter)
  if (found) return { ...found, items: await withFiles(ctx, found.items) }
  const { page, summary } = await inSnapshot(ctx, async (ctx) => ({
    page: await listOrders(ctx, filter),
    summary: await summarizeOrders(ctx, aboveStatus),
  }))
  return { ...page, items: await withFiles(ctx, page.items), summary }
}

/** The first pages of a list whose orders are summed; null for all others. */
async function oneStatement(
  ctx: Ctx,
  filter: OrderFilter,
): Promise<(OrderPage & { summary: OrderSummary }) | null> {
  authorize(ctx.actor, 'order.list')
  const { skip = 0, limit = DEFAULT_LIMIT, sort, direction, ...criteria } = filter
  if (!isCoveredByTotals(criteria)) return null
  const found = await countedScreen(ctx, criteria, sortingOf({ sort, direction }), { skip, limit })
  return found && { ...found.page, skip, limit, summary: summaryOf(found.counts, true) }
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
  return isCoveredByTotals(criteria)
    ? summaryOf(await countByStatus(ctx, criteria), true)
    : summaryOf(await countMatchesByStatus(ctx, criteria, SEARCH_COUNT_CAP + 1), false)
}

/** Counts that are not all of a search are shown up to its cap. */
function summaryOf(counts: readonly StatusCount[], isCovered: boolean): OrderSummary {
  const of = (...statuses: OrderStatus[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((sum, { orders }) => sum + orders, 0)
  const total = counts.reduce((sum, { orders }) => sum + orders, 0)
  const isExact = isCovered || total <= SEARCH_COUNT_CAP
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
