import type { OrderListPosition, OrderNeighbours } from '@garantia/shared/orders/navigation'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import { authorize } from '@garantia/shared/policy'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../order/service.ts'
import { matching } from './criteria.ts'
import { countOrders, type Sorting, sortingOf } from './queries.ts'

type Side = 'before' | 'after'

/**
 * The previous and next order of an order in a list, its position from 1 and the total. The order is located
 * by its sort key, not its position, so that paging continues from an order that no longer matches the
 * filter; its position is null then, or beyond the counting limit of 1 000. 404 when the order is outside the
 * caller's scope.
 */
export async function readNeighbours(
  ctx: Ctx,
  { id, sort, direction, ...criteria }: OrderListPosition,
): Promise<OrderNeighbours> {
  authorize(ctx.actor, 'order.list')
  const order = await visibleOrder(ctx, id)
  const sorting = sortingOf({ sort, direction })
  const { key } = await keyOf(ctx, id, sorting)
  const beside = (side: Side) => parts(sorting, { key, id: order.id }, side)
  const [previous, next, listed, before, counted] = await Promise.all([
    nearest(ctx, criteria, beside('before')),
    nearest(ctx, criteria, beside('after')),
    matching(ctx, criteria).where('service_orders.id', '=', id).select('service_orders.id').execute(),
    countOf(ctx, criteria, beside('before')),
    countOrders(ctx, criteria),
  ])
  const is_listed = listed.length > 0
  return { previous, next, is_listed, place: is_listed && before !== null ? before + 1 : null, ...counted }
}

type Criteria = Parameters<typeof matching>[1]
type Key = string | number | Date | null
interface Part {
  where: RawBuilder<boolean>
  /** Order by, nearest first. */
  order: RawBuilder<unknown>
}

const keyOf = (ctx: Ctx, id: number, { column }: Sorting) =>
  ctx.db
    .selectFrom('service_orders')
    .where('id', '=', id)
    .select(sql<Key>`service_orders.${sql.ref(column)}::text`.as('key'))
    .executeTakeFirstOrThrow()

/**
 * The conditions for the orders on one side. Orders without a customer name come last in either direction;
 * each part is sorted by an index.
 */
function parts({ column, direction }: Sorting, { key, id }: { key: Key; id: number }, side: Side): Part[] {
  const isUp = (side === 'after') === (direction === 'asc')
  const way = sql.raw(isUp ? 'asc' : 'desc')
  const than = sql.raw(isUp ? '>' : '<')
  const at = sql`service_orders.${sql.ref(column)}`
  const order = sql`${at} ${way}, service_orders.id ${way}`
  const named = (where: RawBuilder<boolean>) => ({ where, order })
  const nameless = (where: RawBuilder<boolean>) => ({
    where: sql<boolean>`${at} is null and ${where}`,
    order: sql`service_orders.id ${way}`,
  })
  if (key === null) {
    const others = nameless(sql<boolean>`service_orders.id ${than} ${id}`)
    return side === 'before' ? [others, named(sql<boolean>`${at} is not null`)] : [others]
  }
  const others = named(
    sql<boolean>`(${at}, service_orders.id) ${than} (${key}::${sql.raw(TYPE[column])}, ${id}::bigint)`,
  )
  return side === 'after' && column === 'customer_sort' ? [others, nameless(sql<boolean>`true`)] : [others]
}
const TYPE: Record<Sorting['column'], string> = {
  opened_at: 'timestamptz',
  os_number: 'text',
  customer_sort: 'text',
  total_value: 'numeric',
}

async function nearest(ctx: Ctx, criteria: Criteria, beside: readonly Part[]) {
  for (const { where, order } of beside) {
    const found = await matching(ctx, criteria)
      .where(where)
      .select(['service_orders.id', 'service_orders.os_number'])
      .orderBy(order)
      .limit(sql.lit(1))
      .executeTakeFirst()
    if (found) return found
  }
  return null
}

/** The number of orders on that side; null when it reaches the counting limit. */
async function countOf(ctx: Ctx, criteria: Criteria, beside: readonly Part[]) {
  let count = 0
  for (const { where } of beside) {
    const found = matching(ctx, criteria)
      .where(where)
      .select('service_orders.id')
      .limit(sql.lit(SEARCH_COUNT_CAP))
    const { n } = await ctx.db
      .selectFrom(found.as('found'))
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    count += n
  }
  return count < SEARCH_COUNT_CAP ? count : null
}
