import {
  type Direction,
  type OrderCriteria,
  type OrderFilter,
  type OrderSort,
  SEARCH_COUNT_CAP,
} from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn } from '../../../kernel/scope.ts'
import { isCoveredByTotals, matching } from './criteria.ts'
import { countByStatus } from './sums.ts'

const COLUMNS = {
  opened_at: 'opened_at',
  os_number: 'os_number',
  customer_name: 'customer_sort',
  total_value: 'total_value',
} as const satisfies Record<OrderSort, string>

export interface Sorting {
  column: (typeof COLUMNS)[OrderSort]
  direction: Direction
}
/** Sort column and direction. Default: newest first; any other column ascending. */
export const sortingOf = ({ sort = 'opened_at', direction }: Pick<OrderFilter, 'sort' | 'direction'>) => ({
  column: COLUMNS[sort],
  direction: direction ?? (sort === 'opened_at' ? 'desc' : 'asc'),
})
/** The ORDER BY of a list, with orders without a value last and the id as tie-breaker. */
export const orderedBy = ({ column, direction }: Sorting) => {
  const way = sql.raw(direction)
  return sql`service_orders.${sql.ref(column)} ${way} nulls last, service_orders.id ${way}`
}

type Name = 'named' | 'nameless'
export interface Slice {
  skip: number
  limit: number
  /** Number of matches. When known, pages in the second half are read from the other end. */
  total?: number | undefined
}

/**
 * The ids of one page. They are selected on a covering index before anything is joined, so that a deep page
 * skips index entries, not rows.
 */
export async function pageOfIds(ctx: Ctx, criteria: OrderCriteria, sorting: Sorting, slice: Slice) {
  const { skip, limit, total } = slice
  if (sorting.column !== 'customer_sort' || sorting.direction === 'asc' || total === undefined)
    return cut(ctx, criteria, sorting, slice)
  // Read backwards, the index returns orders without a name first, but they must come last: two parts.
  const nameless = await count(matching(ctx, criteria).where('customer_sort', 'is', null))
  const named = total - nameless
  const first = await cut(ctx, criteria, sorting, { skip, limit, total: named }, 'named')
  const rest = { skip: Math.max(0, skip - named), limit: limit - first.length, total: nameless }
  return [...first, ...(await cut(ctx, criteria, sorting, rest, 'nameless'))]
}

async function cut(
  ctx: Ctx,
  criteria: OrderCriteria,
  { column, direction }: Sorting,
  { skip, limit, total }: Slice,
  name?: Name,
) {
  const isNearEnd = total !== undefined && skip > total / 2
  const size = total === undefined ? limit : Math.min(limit, total - skip)
  const offset = isNearEnd ? total - skip - size : skip
  if (size <= 0) return []
  const way = isNearEnd === (direction === 'asc') ? 'desc' : 'asc'
  // The order of nulls can differ from the index's only where all matches are sorted anyway.
  const nulls = isNearEnd || name || direction === 'asc' || column !== 'customer_sort' ? '' : ' nulls last'
  const order = sql.raw(`key ${way}${nulls}, id ${way}`)
  const parts = scopesToMerge(ctx, criteria).map((scope) => {
    let part = matching(ctx, criteria, scope)
    if (name) part = part.where('customer_sort', name === 'named' ? 'is not' : 'is', null)
    return part.select([`service_orders.${column} as key`, 'service_orders.id']).orderBy(order)
  })
  // Sorted and limited already, so that the database merges the parts instead of sorting their union.
  const merged = () =>
    sql.join(
      parts.map((part) => sql`(${part.limit(sql.lit(offset + size))})`),
      sql` union all `,
    )
  const [only] = parts
  const found = parts.length === 1 ? only : sql`select id from (${merged()}) found order by ${order}`
  // Limit and offset are literals, which keeps plans reusable.
  const { rows } = await sql<{ id: number }>`
    ${found} limit ${sql.lit(size)} ${offset > 0 ? sql`offset ${sql.lit(offset)}` : sql``}`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  return isNearEnd ? ids.reverse() : ids
}

const MAX_MERGED_SCOPES = 40
/**
 * One scope per company to merge. The index is sorted within one company, but not over a matriz and its
 * filiais: one branch per company lets the database merge them instead of sorting all or scanning every
 * company's orders.
 */
function scopesToMerge(ctx: Ctx, criteria: OrderCriteria) {
  const scope = scopeIn(ctx.actor, criteria.company_id)
  if (scope === 'all' || scope.length < 2 || scope.length > MAX_MERGED_SCOPES || !isCoveredByTotals(criteria))
    return [scope]
  return scope.map((company_id) => [company_id])
}

const count = async (found: ReturnType<typeof matching>) =>
  (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total

/**
 * The number of matches: exact from the sums where these cover the criteria, else counted up to `cap` (D-55).
 * `null` counts all.
 */
export async function countOrders(ctx: Ctx, criteria: OrderCriteria, cap: number | null = SEARCH_COUNT_CAP) {
  if (isCoveredByTotals(criteria)) {
    const { status } = criteria
    const counts = await countByStatus(ctx, criteria)
    const chosen = status?.length ? counts.filter((one) => status.includes(one.status)) : counts
    return { total: chosen.reduce((sum, { orders }) => sum + orders, 0), total_is_exact: true }
  }
  if (cap === null) return { total: await count(matching(ctx, criteria)), total_is_exact: true }
  const { total } = await ctx.db
    .selectFrom(
      matching(ctx, criteria)
        .select('service_orders.id')
        .limit(sql.lit(cap + 1))
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total > cap ? { total: cap, total_is_exact: false } : { total, total_is_exact: true }
}

/** Orders per status among the first `limit` matches. */
export const countMatchesByStatus = (ctx: Ctx, criteria: OrderCriteria, limit: number) =>
  ctx.db
    .selectFrom(matching(ctx, criteria).select('service_orders.status').limit(sql.lit(limit)).as('found'))
    .select((eb) => ['status' as const, eb.fn.countAll<number>().as('orders')])
    .groupBy('status')
    .execute() as Promise<{ status: OrderStatus; orders: number }[]>
