import type { OrderCriteria } from '@garantia/shared/orders/criteria'
import { ORDER_STATUSES, type OrderStatus } from '@garantia/shared/orders/status'
import type { Actor, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, scopeIn, within } from '../../../kernel/scope.ts'
import { isAnyOf, isOneOf, openingDays, statusesOf } from './criteria.ts'

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

/** What a query for orders that are summed takes of the caller and the criteria. */
export interface Summed extends Record<string, unknown> {
  companies: readonly number[] | undefined
  /** The keys of the sums that these companies add up to. */
  keys: readonly number[]
  brand_id: number[] | undefined
  from: string | undefined
  until: string | undefined
}
export function summedFor(ctx: Pick<Ctx, 'actor' | 'clock'>, criteria: OrderCriteria): Summed {
  const { brand_id, company_id } = criteria
  const scope = scopeIn(ctx.actor, company_id)
  const { from, until } = openingDays(ctx, criteria)
  const keys = company_id !== undefined && scope !== 'all' ? scope : [sumKeyOf(ctx.actor, scope)]
  return {
    companies: companiesIn(scope),
    keys: keys.filter((key) => key !== null),
    brand_id: brand_id?.length ? brand_id : undefined,
    from,
    until,
  }
}

/** The sums and deltas, by status, that companies, brands and opening days add up to. */
function sumsOf({ companies, keys, brand_id, from, until }: Summed) {
  const inScopes = isAnyOf('scope_id', keys)
  const since = from === undefined ? sql`true` : sql`day >= ${from}::date`
  const to = until === undefined ? sql`true` : sql`day <= ${until}::date`
  const totals = sql`select brand_id, status, orders from order_totals where ${inScopes}`
  // What was opened until a day is all but what was opened since, which is less to add up: most orders are old.
  const totalsUntil = sql`${totals} union all
    select brand_id, status, -orders from order_days where ${inScopes} and day > ${until}::date`
  const days = sql`select brand_id, status, orders from order_days where ${inScopes} and ${since} and ${to}`
  return sql`(
    select status, orders from (
      ${from !== undefined ? days : until === undefined ? totals : totalsUntil}
      union all
      select brand_id, status, orders from order_deltas
      where ${isUnfoldedDelta(companies ?? 'all')} and ${since} and ${to}) noted
    where ${brand_id ? isAnyOf('brand_id', brand_id) : sql`true`}) sums`
}

/**
 * Exact counts of orders per status in the caller's scope, at a cost that does not grow with the number of
 * orders.
 */
export const countByStatus = (ctx: Ctx, criteria: OrderCriteria): Promise<StatusCount[]> =>
  ordersByStatus(ctx.db, summedFor(ctx, criteria), statusesOf(criteria))

export interface StatusCount {
  status: OrderStatus
  orders: number
}

type Statuses = readonly OrderStatus[] | undefined
const ordersByStatus = prepared(
  (_db, summed: Summed, statuses: Statuses) => sql<StatusCount>`
    select status, sum(orders)::bigint as orders from ${sumsOf(summed)}
    where ${hasStatus(statuses)} group by status`,
)

/** The same in all, as an expression. */
export const totalOf = (summed: Summed, statuses: Statuses) => sql<number>`(
  select coalesce(sum(orders), 0)::bigint from ${sumsOf(summed)} where ${hasStatus(statuses)})`

/** The same by status, as an expression: the text of a JSON array, the same in each row that has it. */
export const countsOf = (summed: Summed, statuses: Statuses) => sql<string>`(
  select coalesce(json_agg(json_build_object('status', status, 'orders', orders)), '[]')::text from (
    select status, sum(orders)::bigint as orders from ${sumsOf(summed)}
    where ${hasStatus(statuses)} group by status) counted)`

const hasStatus = (statuses: Statuses) =>
  statuses ? isOneOf('sums.status', ORDER_STATUSES, statuses) : sql<boolean>`true`
