import { FOUND_MAX } from '@garantia/shared/orders/navigation'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { readRows } from '../order/service.ts'
import { isSearch, matching } from './criteria.ts'
import { pageOfIds, sortingOf } from './queries.ts'

/**
 * The best matches of a search as the person types, at most 8: the order with exactly this number first, then
 * the newest. Matches are not counted, so that the answer is fast. Refuses an anonymous caller with 401.
 */
export async function findOrders(ctx: Ctx, search: string): Promise<OrderRow[]> {
  authorize(ctx.actor, 'order.list')
  if (!isSearch({ search })) return []
  const [exact, alike] = await Promise.all([
    numbered(ctx, search.trim()),
    pageOfIds(ctx, { search }, sortingOf({}), { skip: 0, limit: FOUND_MAX }),
  ])
  return readRows(ctx, [...new Set([...exact, ...alike])].slice(0, FOUND_MAX))
}

const numbered = async (ctx: Ctx, number: string) => {
  if (!/^\d{6}$/.test(number)) return []
  const found = await matching(ctx, {})
    .where('os_number', '=', number)
    .select('service_orders.id')
    .orderBy('service_orders.id', 'desc')
    .limit(sql.lit(FOUND_MAX))
    .execute()
  return found.map(({ id }) => id)
}

/**
 * The orders of these ids that the caller may still read, in the given order; all others are omitted. Refuses
 * an anonymous caller with 401.
 */
export async function readableOrders(ctx: Ctx, ids: readonly number[]): Promise<OrderRow[]> {
  authorize(ctx.actor, 'order.list')
  if (ids.length === 0) return []
  const found = await matching(ctx, {})
    .where('service_orders.id', 'in', ids)
    .select('service_orders.id')
    .execute()
  const readable = new Set(found.map(({ id }) => id))
  return readRows(
    ctx,
    ids.filter((id) => readable.has(id)),
  )
}

/**
 * Orders with this number, not deleted; two companies may each have one. Not limited to a scope: for
 * operators and the worker.
 */
export const ordersNumbered = (ctx: Ctx, os_number: string) =>
  ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .where('os_number', '=', os_number)
    .where('deleted_at', 'is', null)
    .select(['service_orders.id', 'service_orders.company_id', 'companies.trading_name'])
    .orderBy('service_orders.id')
    .execute()
