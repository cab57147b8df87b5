import type { ServiceOrders } from '@garantia/migrations/schema'
import type { Ctx } from '@garantia/server/kernel'
import type { MetricsFilter } from '@garantia/shared/orders/metrics'
import type { Selectable } from 'kysely'

/** The figures of D-26 the slow way: reads every order and sums here. */
export async function countedByHand(
  { db }: Ctx,
  companies: readonly number[],
  now: Date,
  { start_date = '0000', end_date = '9999' }: MetricsFilter = {},
) {
  const all = await db
    .selectFrom('service_orders')
    .where('deleted_at', 'is', null)
    .where('company_id', 'in', companies)
    .selectAll()
    .execute()
  const brands = new Map(
    (await db.selectFrom('brands').select(['id', 'display_name']).execute()).map((one) => [
      one.id,
      one.display_name,
    ]),
  )
  const orders = all.filter((one) => dayOf(one.opened_at) >= start_date && dayOf(one.opened_at) <= end_date)
  const of = (...statuses: string[]) => orders.filter(({ status }) => statuses.includes(status))
  const completed = of('completed')
  const cents = sum(completed.map(({ total_value }) => Math.round(total_value * 100)))
  const hours = sum(completed.map((one) => (Number(one.completed_at) - Number(one.opened_at)) / 3_600_000))
  const week = Array.from({ length: 7 }, (_, index) => {
    const day = dayOf(new Date(now.getTime() - (6 - index) * 86_400_000))
    return { day, orders: all.filter((one) => dayOf(one.opened_at) === day).length }
  })
  return {
    total_orders: orders.length,
    completed_orders: completed.length,
    in_analysis_orders: of('in_analysis').length,
    pending_orders: of('pending', 'pending_upload').length,
    cancelled_orders: of('cancelled').length,
    completion_rate: tenth((completed.length / Math.max(1, orders.length)) * 100),
    average_processing_time_hours: tenth(hours / Math.max(1, completed.length)),
    total_revenue: cents / 100,
    average_order_value: Math.round(cents / Math.max(1, completed.length)) / 100,
    orders_by_brand: Object.fromEntries(
      [...Map.groupBy(orders, ({ brand_id }) => brands.get(brand_id) ?? '')].map(([name, list]) => [
        name,
        list.length,
      ]),
    ),
    weekly_orders: sum(week.map((one) => one.orders)),
    weekly_series: week,
    total_customers: new Set(orders.map(customerOf).filter(Boolean)).size,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const tenth = (value: number) => Math.round(value * 10) / 10
/** The Swedish date format is ISO 8601. */
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })
const dayOf = (at: Date) => day.format(at)

function customerOf(order: Selectable<ServiceOrders>) {
  if (order.customer_document) return order.customer_document
  const name = (order.customer_name ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const phone = (order.customer_phone ?? '').replace(/\D/g, '')
  const both = `${name.replace(/\s+/g, ' ').trim()}|${phone}`
  return both === '|' ? null : both
}
