import type { ServiceOrders } from '@garantia/migrations/schema'
import { type OrderFilter, SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { inScope } from '../../kernel/scope.ts'

export type OrderRow = Selectable<ServiceOrders>

/** The order's row locked until the transaction ends; undefined when absent, deleted or out of scope. */
export const lockOrder = (ctx: Ctx, id: number) => findOrder(ctx, id).forUpdate().executeTakeFirst()

export const findOrder = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('service_orders')
    .where('service_orders.id', '=', id)
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .selectAll('service_orders')

/** With brand and company, as the detail page and the list show them. */
export const ordersWithNames = (ctx: Ctx) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .selectAll('service_orders')
    .select(['brands.display_name', 'companies.trading_name', 'companies.legal_name'])

/**
 * One word of a search as stored text spells it. Punctuation of masks goes (529.982.247-25, ABC-1234)
 * when the word carries a digit; a hyphen in a surname stays. Words of one or two letters have no inner
 * trigram, so they match the start of a word.
 */
function pattern(word: string) {
  const bare = /\d/.test(word) ? word.replace(/[.\-/()]/g, '') : word
  const literal = bare.replace(/[\\%_]/g, '\\$&')
  return bare.length < 3 ? `% ${literal}%` : `%${literal}%`
}
const wordsOf = (search: string) => search.split(/\s+/).filter((word) => word.replace(/[.\-/()]/g, '') !== '')

type Criteria = Pick<OrderFilter, 'search' | 'status' | 'brand_id'>

function matching(ctx: Ctx, { search, status, brand_id }: Criteria) {
  let query = ctx.db
    .selectFrom('service_orders')
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
  if (status?.length)
    query = query.where(sql<boolean>`service_orders.status = any(${status}::order_status[])`)
  if (brand_id) query = query.where('service_orders.brand_id', '=', brand_id)
  for (const word of wordsOf(search ?? ''))
    query = query.where(sql<boolean>`search like fold(${pattern(word)})`)
  return query
}

/**
 * One page of ids, newest first. The page is cut on a covering index before anything is joined, so that
 * a deep page skips index entries, not rows; where the total is known, the second half of the pages is
 * read from the other end. Limit and offset are literals: they keep plans reusable.
 */
export async function pageOfIds(ctx: Ctx, criteria: Criteria, skip: number, limit: number, total?: number) {
  const isNearEnd = total !== undefined && skip > total / 2
  const size = isNearEnd ? Math.min(limit, total - skip) : limit
  const offset = isNearEnd ? total - skip - size : skip
  if (size <= 0) return []
  const direction = isNearEnd ? 'asc' : 'desc'
  const rows = await matching(ctx, criteria)
    .select('service_orders.id')
    .orderBy('service_orders.opened_at', direction)
    .orderBy('service_orders.id', direction)
    .limit(sql.lit(size))
    .$if(offset > 0, (query) => query.offset(sql.lit(offset)))
    .execute()
  const ids = rows.map(({ id }) => id)
  return isNearEnd ? ids.reverse() : ids
}

/** Exact, from the counters; costs companies × brands × statuses, not orders. */
export async function countOrders(ctx: Ctx, { status, brand_id }: Omit<Criteria, 'search'>) {
  let query = ctx.db.selectFrom('order_counts').where(inScope(ctx.actor, 'order_counts.company_id'))
  if (status?.length) query = query.where(sql<boolean>`order_counts.status = any(${status}::order_status[])`)
  if (brand_id) query = query.where('order_counts.brand_id', '=', brand_id)
  const { total } = await query
    .select(sql<number>`coalesce(sum(orders), 0)::bigint`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Matches of a search, counted to the end or up to the cap (D-55). */
export async function countMatches(ctx: Ctx, criteria: Criteria, cap: number | null = SEARCH_COUNT_CAP) {
  const found = matching(ctx, criteria).select('service_orders.id')
  const { total } = await ctx.db
    .selectFrom((cap === null ? found : found.limit(sql.lit(cap + 1))).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return cap !== null && total > cap ? { total: cap, total_is_exact: false } : { total, total_is_exact: true }
}

export const isSearch = (search: string | undefined) => wordsOf(search ?? '').length > 0
