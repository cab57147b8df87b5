import type { OrderCriteria } from '@garantia/shared/orders/criteria'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { listedOrders, presentRows, readRows } from '../order/service.ts'
import { isOfOpenOnes, statusesOf } from './criteria.ts'
import { FORWARDS, listLengths } from './first-half.ts'
import { countOrders, cutOf, isInTwoParts, pageOfIds, type Slice, type Sorting } from './queries.ts'
import { firstPage } from './searched-page.ts'
import { countsOf, type StatusCount, type Summed, summedFor, totalOf } from './sums.ts'

/**
 * So many orders of a period are found by their opening and sorted by another column; more are read in the order of
 * that column's index, which does not know when an order was opened, until the page is full.
 */
const SORTABLE = 10_000
const { isInFirstHalf, remember } = listLengths()

/** A page of orders whose number is known from the sums, with that number; the first ones in one statement. */
export async function countedPage(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
) {
  const { given, filter, list } = inputOf(ctx, criteria)
  if (isOfPeriodSortedByOther(given, sorting)) {
    const counted = await countOrders(ctx, criteria)
    if (counted.total <= SORTABLE) {
      const { items } = await firstPage(ctx, criteria, sorting, slice, SORTABLE)
      return { items, ...counted }
    }
  }
  const isAhead = isInFirstHalf(list, slice.skip) && !isInTwoParts(sorting)
  if (isAhead) {
    const read = slice.skip <= FORWARDS ? firstPages : laterPages
    const rows = await read(ctx.db, given, { ...filter, sorting, slice })
    const [first] = rows
    if (first) {
      remember(list, first.total)
      return { items: presentRows(ctx, rows), total: first.total, total_is_exact: true }
    }
  }
  const counted = await countOrders(ctx, criteria)
  remember(list, counted.total)
  const known = { ...slice, ...counted }
  if (isAhead || known.skip >= known.total) return { items: [], ...counted }
  if (isInTwoParts(sorting))
    return { items: await readRows(ctx, await pageOfIds(ctx, criteria, sorting, known)), ...counted }
  const rows = await deepPages(ctx.db, given, { ...filter, sorting, slice: known })
  return { items: presentRows(ctx, rows), ...counted }
}

/**
 * The first pages of such a list in one statement with the counts by status of all that meet the criteria but for the
 * status: of one moment, without a transaction. Null for a page that has no rows, or takes more than one statement.
 */
export async function countedScreen(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
) {
  const { given, filter, list } = inputOf(ctx, criteria)
  if (isOfPeriodSortedByOther(given, sorting) || isInTwoParts(sorting) || slice.skip > FORWARDS) return null
  const counted = statusesOf({ ...criteria, status: undefined })
  const rows = await firstScreens(ctx.db, given, { ...filter, sorting, slice, counted })
  const [first] = rows
  if (!first) return null
  const counts: StatusCount[] = JSON.parse(first.counts)
  const { statuses } = filter
  const total = counts
    .filter(({ status }) => !statuses || statuses.includes(status))
    .reduce((sum, { orders }) => sum + orders, 0)
  remember(list, total)
  return { page: { items: presentRows(ctx, rows), total, total_is_exact: true }, counts }
}

/** What the statements are given, and the name under which the list's length is remembered. */
function inputOf(ctx: Ctx, criteria: OrderCriteria) {
  const summed = summedFor(ctx, criteria)
  const statuses = statusesOf(criteria)
  return {
    given: { ...summed, now: ctx.clock() },
    filter: { status: criteria.status, statuses, is_open: isOfOpenOnes(criteria) },
    list: JSON.stringify([summed, statuses]),
  }
}
const isOfPeriodSortedByOther = ({ from, until }: Summed, { column }: Sorting) =>
  column !== 'opened_at' && (from !== undefined || until !== undefined)

interface Page {
  status: OrderStatus[] | undefined
  /** The statuses that are summed: of these, without the closed ones where only open orders match. */
  statuses: OrderStatus[] | undefined
  is_open: boolean
  sorting: Sorting
  slice: Slice
}
type Given = Summed & { now: Date }

/** The orders of a page in the order of the list; the page is cut from an index before anything is joined. */
function rowsOf(db: Ctx['db'], given: Given, { status, is_open, sorting, slice }: Page) {
  const { companies, brand_id, from, until, now } = given
  const scope = companies ?? 'all'
  const asking = { db, clock: () => now, actor: { kind: 'system' } as const }
  const cut = cutOf(asking, { brand_id, status, is_open, days: { from, until } }, sorting, slice, { scope })
  if (!cut) throw new Error('an empty page is not read')
  return listedOrders({ db, scope })
    .innerJoin(sql<{ id: number; key: unknown }>`(${cut.query})`.as('page'), 'page.id', 'service_orders.id')
    .orderBy(sql.raw(`page.key ${sorting.direction}, page.id ${sorting.direction}`))
}
const pageWithTotal = (db: Ctx['db'], given: Given, page: Page) =>
  rowsOf(db, given, page).select(totalOf(given, page.statuses).as('total'))
const firstPages = prepared(pageWithTotal)
/** Apart from the first ones, which everybody asks for: these are of as many forms as there are totals and pages. */
const laterPages = prepared(pageWithTotal)
const firstScreens = prepared(
  (db, given: Given, { counted, ...page }: Page & { counted: Page['statuses'] }) =>
    rowsOf(db, given, page).select(countsOf(given, counted).as('counts')),
)
const deepPages = prepared((db, given: Given, page: Page) => rowsOf(db, given, page))
