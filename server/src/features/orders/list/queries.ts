import type { Direction, OrderCriteria, OrderFilter, OrderSort } from '@garantia/shared/orders/criteria'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import type { Scope } from '@garantia/shared/policy'
import { type AbortableQueryOptions, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn } from '../../../kernel/scope.ts'
import { type Asking, isCoveredByTotals, isSearch, matching, type Resolved } from './criteria.ts'
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

/** Read backwards, the index returns orders without a customer's name first, but they must come last. */
export const isInTwoParts = ({ column, direction }: Sorting) =>
  column === 'customer_sort' && direction === 'desc'

type Name = 'named' | 'nameless'
export interface Slice {
  skip: number
  limit: number
  /** Number of matches. When known, pages in the second half are read from the other end. */
  total?: number | undefined
  /** More orders match than are counted, so that each company's index soon has a page of them. */
  isBroad?: boolean
}

/**
 * The ids of one page. They are selected on a covering index before anything is joined, so that a deep page
 * skips index entries, not rows.
 */
export async function pageOfIds(ctx: Ctx, criteria: OrderCriteria, sorting: Sorting, slice: Slice) {
  const { skip, limit, total } = slice
  if (!isInTwoParts(sorting) || (total === undefined && !slice.isBroad))
    return cut(ctx, criteria, sorting, slice)
  // Read backwards, the index returns orders without a name first, but they must come last: two parts.
  if (total === undefined) {
    const first = await cut(ctx, criteria, sorting, slice, 'named')
    if (first.length === limit) return first
    // Beyond the last name, how many there are is not known.
    if (first.length === 0 && skip > 0) return cut(ctx, criteria, sorting, slice)
    const rest = { skip: 0, limit: limit - first.length, isBroad: true }
    return [...first, ...(await cut(ctx, criteria, sorting, rest, 'nameless'))]
  }
  const nameless = await count(matching(ctx, criteria).where('customer_sort', 'is', null))
  const named = total - nameless
  const first = await cut(ctx, criteria, sorting, { skip, limit, total: named }, 'named')
  const rest = { skip: Math.max(0, skip - named), limit: limit - first.length, total: nameless }
  return [...first, ...(await cut(ctx, criteria, sorting, rest, 'nameless'))]
}

async function cut(ctx: Ctx, criteria: OrderCriteria, sorting: Sorting, slice: Slice, name?: Name) {
  const found = cutOf(ctx, criteria, sorting, slice, { name })
  if (!found) return []
  const { rows } = await found.query.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  return found.isReversed ? ids.reverse() : ids
}

/** The query for the ids and sort keys of one page; null for an empty one. */
export function cutOf(
  ctx: Asking,
  criteria: OrderCriteria & Resolved,
  { column, direction }: Sorting,
  { skip, limit, total, isBroad }: Slice,
  { name, scope = scopeIn(ctx.actor, criteria.company_id) }: { name?: Name | undefined; scope?: Scope } = {},
) {
  const isReversed = total !== undefined && skip > total / 2
  const size = total === undefined ? limit : Math.min(limit, total - skip)
  const offset = isReversed ? total - skip - size : skip
  if (size <= 0) return null
  const way = isReversed === (direction === 'asc') ? 'desc' : 'asc'
  // The order of nulls can differ from the index's only where all matches are sorted anyway.
  const nulls = isReversed || name || direction === 'asc' || column !== 'customer_sort' ? '' : ' nulls last'
  const order = sql.raw(`key ${way}${nulls}, id ${way}`)
  const parts = partsToMerge(scope, criteria, isBroad).map((one) => {
    let part = matching(ctx, { ...criteria, brand_id: one.brand_id }, one.scope)
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
  const found = parts.length === 1 ? only : sql`select key, id from (${merged()}) found order by ${order}`
  // Limit and offset are literals, which keeps plans reusable.
  const query = sql<{ id: number; key: unknown }>`
    ${found} limit ${sql.lit(size)} ${offset > 0 ? sql`offset ${sql.lit(offset)}` : sql``}`
  return { query, isReversed }
}

const MAX_MERGED = 40
/**
 * One part per company and brand to merge. Indexes are sorted within one company or brand, but not over several:
 * one branch each lets the database merge them instead of sorting all, or reading everybody's orders until a page
 * is full.
 */
function partsToMerge(scope: Scope, criteria: OrderCriteria, isBroad = false) {
  const { brand_id } = criteria
  const whole = [{ scope, brand_id }]
  if (!isCoveredByTotals(criteria) && !(isBroad && isSearch(criteria))) return whole
  const scopes = scope === 'all' || scope.length < 2 ? [scope] : scope.map((company_id) => [company_id])
  // The index of a company has the brand beside the sort key; only everybody's list needs that of the brand.
  const brands =
    scope === 'all' && brand_id && !isSearch(criteria) ? brand_id.map((one) => [one]) : [brand_id]
  const parts = scopes.flatMap((scope) => brands.map((brand_id) => ({ scope, brand_id })))
  return parts.length > MAX_MERGED ? whole : parts
}

const count = async (found: ReturnType<typeof matching>, options?: AbortableQueryOptions) =>
  (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(options)).total

/** The number of all matches, by counting them. */
export const countMatches = (ctx: Ctx, criteria: OrderCriteria, options?: AbortableQueryOptions) =>
  count(matching(ctx, criteria), options)

/** The number of matches: exact from the sums where these cover the criteria, else counted up to 1 000 (D-55). */
export async function countOrders(ctx: Ctx, criteria: OrderCriteria) {
  if (isCoveredByTotals(criteria)) {
    const counts = await countByStatus(ctx, criteria)
    return { total: counts.reduce((sum, { orders }) => sum + orders, 0), total_is_exact: true }
  }
  const total = await firstMatches(ctx, criteria)
  return total > SEARCH_COUNT_CAP
    ? { total: SEARCH_COUNT_CAP, total_is_exact: false }
    : { total, total_is_exact: true }
}

/** The number of matches, counted up to 1 001. */
export async function firstMatches(ctx: Ctx, criteria: OrderCriteria) {
  const { total } = await ctx.db
    .selectFrom(
      matching(ctx, criteria)
        .select('service_orders.id')
        .limit(sql.lit(SEARCH_COUNT_CAP + 1))
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Orders per status among the first `limit` matches. */
export const countMatchesByStatus = (ctx: Ctx, criteria: OrderCriteria, limit: number) =>
  ctx.db
    .selectFrom(matching(ctx, criteria).select('service_orders.status').limit(sql.lit(limit)).as('found'))
    .select((eb) => ['status' as const, eb.fn.countAll<number>().as('orders')])
    .groupBy('status')
    .execute() as Promise<{ status: OrderStatus; orders: number }[]>
