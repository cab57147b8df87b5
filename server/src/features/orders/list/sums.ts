import type { OrderCriteria } from '@garantia/shared/orders/schema'
import { ORDER_STATUSES, type OrderStatus } from '@garantia/shared/orders/status'
import type { Actor, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, within } from '../../../kernel/scope.ts'
import { isOneOf } from './criteria.ts'

/**
 * The key under which the sums of a scope are kept: 0 for all companies, the company's id, or the negative id
 * of a matriz for it and its filiais. Null when there are none.
 */
export function sumKeyOf(actor: Actor, scope: Scope): number | null {
  if (scope === 'all') return 0
  if (scope.length <= 1) return scope[0] ?? null
  return actor.kind === 'user' && actor.company_id !== null ? -actor.company_id : null
}

/** The deltas of a scope that are not yet folded into its sums. */
export const isUnfoldedDelta = (scope: Scope) =>
  sql<boolean>`scope_id is null and ${within(scope, 'order_deltas.company_id')}`

/** The rows of the sums and deltas that a scope and brand add up to. */
function sumsOf(ctx: Ctx, { brand_id, company_id }: OrderCriteria) {
  const scope = scopeIn(ctx.actor, company_id)
  return sql`(
    select status, orders from (
      select brand_id, status, orders from order_totals where scope_id = ${sumKeyOf(ctx.actor, scope)}
      union all
      select brand_id, status, orders from order_deltas where ${isUnfoldedDelta(scope)}) noted
    where ${brand_id === undefined ? sql`true` : sql`brand_id = ${brand_id}`}) sums`
}

/**
 * Exact counts of orders per status in the caller's scope, at a cost that does not grow with the number of
 * orders.
 */
export async function countByStatus(ctx: Ctx, criteria: OrderCriteria) {
  const { rows } = await sql<{ status: OrderStatus; orders: number }>`
    select status, sum(orders)::bigint as orders from ${sumsOf(ctx, criteria)} group by status`.execute(
    ctx.db,
  )
  return rows
}

/** The same in all, of the criteria's statuses, as an expression. */
export const totalOf = (ctx: Ctx, criteria: OrderCriteria) => sql<number>`(
  select coalesce(sum(orders), 0)::bigint from ${sumsOf(ctx, criteria)}
  where ${criteria.status?.length ? isOneOf('sums.status', ORDER_STATUSES, criteria.status) : sql`true`})`
