import { TIME_ZONE } from '@garantia/shared/format'
import type { MetricsFilter } from '@garantia/shared/orders/metrics'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeOf, within } from '../../../kernel/scope.ts'
import { isUnfoldedDelta, sumKeyOf } from '../list/service.ts'

export interface Figures {
  sums: { brand: string; status: OrderStatus; orders: number; cents: number; milliseconds: number }[]
  /** Orders opened per calendar day, from `since` on. */
  days: { day: string; orders: number }[]
  customers: number
  active_brands: number
  active_companies: number
}

/**
 * All figures of the dashboard in the caller's scope, in one statement and so from one snapshot. `since`
 * (yyyy-mm-dd) is the first day of `days`.
 */
export async function readFigures(ctx: Ctx, period: MetricsFilter, since: string): Promise<Figures> {
  const scope = scopeOf(ctx.actor)
  const key = sumKeyOf(ctx.actor, scope)
  const isWhole = period.start_date === undefined && period.end_date === undefined
  const inPeriod = between(period, sql.ref('day'))
  const noted = sql`from order_deltas where ${isUnfoldedDelta(scope)}`
  const { rows } = await sql<Figures>`
    with sums as (
      select brand_id, status, sum(orders) as orders, sum(cents) as cents, sum(milliseconds) as milliseconds
      from (
        select brand_id, status, orders, cents, milliseconds
          ${isWhole ? sql`from order_totals where scope_id = ${key}` : sql`from order_days where scope_id = ${key} and ${inPeriod}`}
        union all select brand_id, status, orders, cents, milliseconds ${noted} and ${inPeriod}) s
      group by brand_id, status having sum(orders) <> 0),
    days as (
      select day, sum(orders) as orders from (
        select day, orders from order_openings where scope_id = ${key} and day >= ${since}
        union all select day, orders ${noted} and day >= ${since}) d
      group by day)
    select
      (select coalesce(json_agg(json_build_object('brand', brands.display_name, 'status', status,
        'orders', orders, 'cents', cents, 'milliseconds', milliseconds) order by brands.display_name), '[]')
        from sums join brands on brands.id = brand_id) as sums,
      (select coalesce(json_agg(json_build_object('day', day, 'orders', orders)), '[]') from days) as days,
      (${isWhole ? customersOf(key, noted) : customersIn(ctx, period)}) as customers,
      (select count(*) from brands where is_active) as active_brands,
      (select count(*) from companies where is_active and ${within(scope, 'companies.id')}) as active_companies`.execute(
    ctx.db,
  )
  return rows[0] as Figures
}

type Fragment = ReturnType<typeof sql>

const between = ({ start_date, end_date }: MetricsFilter, day: Fragment) =>
  sql`${start_date === undefined ? sql`true` : sql`${day} >= ${start_date}::date`}
    and ${end_date === undefined ? sql`true` : sql`${day} <= ${end_date}::date`}`

/** The number of all customers: the kept count, corrected by the deltas that are not folded in yet. */
const customersOf = (key: number | null, noted: Fragment) => sql`
  select coalesce((select customers from customer_counts where scope_id = ${key}), 0) + coalesce(sum(
    case when before = 0 and after > 0 then 1 when before > 0 and after <= 0 then -1 else 0 end), 0)::bigint
  from (
    select coalesce(known.orders, 0) as before, coalesce(known.orders, 0) + net.orders as after
    from (select customer, sum(orders) as orders ${noted} and customer is not null
      group by customer having sum(orders) <> 0) net
    left join order_customers known on known.scope_id = ${key} and known.customer = net.customer) changed`

/**
 * The number of customers of a period. It cannot be summed over days, so distinct customers are counted on a
 * covering index.
 */
function customersIn({ actor }: Ctx, { start_date, end_date }: MetricsFilter) {
  const midnight = (day: string, add: number) =>
    sql`((${day}::date + ${sql.lit(add)})::timestamp at time zone ${sql.lit(TIME_ZONE)})`
  return sql`
    select count(*) from (
      select distinct customer_identity from service_orders
      where deleted_at is null and customer_identity is not null
        and ${within(scopeOf(actor), 'service_orders.company_id')}
        and ${start_date === undefined ? sql`true` : sql`opened_at >= ${midnight(start_date, 0)}`}
        and ${end_date === undefined ? sql`true` : sql`opened_at < ${midnight(end_date, 1)}`}) seen`
}
