import type { OrderCriteria } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { listedOrders, presentRow, readRows } from '../order/service.ts'
import { countOrders, cutOf, isInTwoParts, pageOfIds, type Slice, type Sorting } from './queries.ts'
import { totalOf } from './sums.ts'

/** Up to here a page is read forwards, without asking for the total first whether its end is nearer. */
const FORWARDS = 500

/** A page of orders whose number is known from the sums, with that number; the first ones in one statement. */
export async function countedPage(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
) {
  const now = ctx.clock()
  const isAhead = slice.skip <= FORWARDS && !isInTwoParts(sorting)
  if (isAhead) {
    const rows =
      (await rowsOf(ctx, sorting, cutOf(ctx, criteria, sorting, slice))
        ?.select(totalOf(ctx, criteria).as('total'))
        .execute()) ?? []
    const [first] = rows
    if (first)
      return { items: rows.map((row) => presentRow(row, now)), total: first.total, total_is_exact: true }
  }
  const counted = await countOrders(ctx, criteria)
  const known = { ...slice, ...counted }
  if (isAhead) return { items: [], ...counted }
  if (isInTwoParts(sorting))
    return { items: await readRows(ctx, await pageOfIds(ctx, criteria, sorting, known)), ...counted }
  const rows = (await rowsOf(ctx, sorting, cutOf(ctx, criteria, sorting, known))?.execute()) ?? []
  return { items: rows.map((row) => presentRow(row, now)), ...counted }
}

/** The orders of a page in the order of the list; the page is cut from an index before anything is joined. */
const rowsOf = (ctx: Ctx, { direction }: Sorting, cut: ReturnType<typeof cutOf>) =>
  cut &&
  listedOrders(ctx)
    .innerJoin(sql<{ id: number; key: unknown }>`(${cut.query})`.as('page'), 'page.id', 'service_orders.id')
    .orderBy(sql.raw(`page.key ${direction}, page.id ${direction}`))
