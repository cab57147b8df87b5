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
 * All figures of the dashboard in the caller's scope, in one statement and so from one snapshot, without reading
 * orders. `today` and `since`, the first day of `days`, are yyyy-mm-dd.
 */
export async function readFigures(
  ctx: Ctx,
  period: MetricsFilter,
  { today, since }: { today: string; since: string },
): Promise<Figures> {
  const scope = scopeOf(ctx.actor)
  const key = sumKeyOf(ctx.actor, scope)
  const isWhole = period.start_date === undefined && period.end_date === undefined
  const inPeriod = between(period, DAY)
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
      (${customersIn(key, period, noted, today)})::bigint as customers,
      (select count(*) from brands where is_active) as active_brands,
      (select count(*) from companies where is_active and ${within(scope, 'companies.id')}) as active_companies`.execute(
    ctx.db,
  )
  return rows[0] as Figures
}

type Fragment = ReturnType<typeof sql>

const DAY = sql.ref('day')
const between = ({ start_date, end_date }: MetricsFilter, day: Fragment) =>
  sql`${start_date === undefined ? sql`true` : sql`${day} >= ${start_date}::date`}
    and ${end_date === undefined ? sql`true` : sql`${day} <= ${end_date}::date`}`

/**
 * The number of distinct customers of a period, exact: what is folded in, corrected by the deltas that are not.
 */
const customersIn = (key: number | null, period: MetricsFilter, noted: Fragment, today: string) => sql`
  select (${foldedCustomers(key, period, today)}) + (
    select coalesce(sum((days + change > 0)::int - (days > 0)::int), 0) from (
      select net.customer, sum((coalesce(known.orders, 0) + net.orders > 0)::int
        - (coalesce(known.orders, 0) > 0)::int) as change
      from (
        select customer, day, sum(orders) as orders ${noted} and customer is not null and ${between(period, DAY)}
        group by customer, day having sum(orders) <> 0) net
      left join customer_days known on known.scope_id = ${key} and known.customer = net.customer
        and known.day = net.day
      group by net.customer) changed
    cross join lateral (
      select count(*) as days from customer_days
      where scope_id = ${key} and customer = changed.customer and ${between(period, DAY)}) folded
    where change <> 0)`

/**
 * Customers with a day in the period, from sums per day. One of two equal ways, whichever meets fewer pairs of days.
 * In a period that few days follow: all who came first until its end, without those whose last day is before it and
 * those who stayed away from before it until after it. Else the customers of each of its days, without their returns
 * within it.
 */
function foldedCustomers(key: number | null, { start_date, end_date }: MetricsFilter, today: string) {
  const openings = sql`from order_openings opened where scope_id = ${key}`
  const returns = sql`select coalesce(sum(customers), 0) from customer_returns where scope_id = ${key}`
  const until = end_date ?? 'infinity'
  if (start_date === undefined)
    return sql`select coalesce(sum(first_customers), 0) ${openings} and day <= ${until}::date`
  if (end_date === undefined || 2 * daysFrom(end_date, today) < daysFrom(start_date, end_date))
    return sql`
      select coalesce(sum(first_customers) filter (where day <= ${until}::date), 0)
        - coalesce(sum(last_customers) filter (where day < ${start_date}::date), 0)
        - (${returns} and day > ${until}::date and previous_day < ${start_date}::date)
      ${openings}`
  return sql`
    select coalesce(sum(customers - (
      ${returns} and day = opened.day and previous_day >= ${start_date}::date)), 0)
    ${openings} and day between ${start_date}::date and ${end_date}::date`
}
const daysFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
