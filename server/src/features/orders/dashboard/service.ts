import { daysBefore, isoDay } from '@garantia/shared/format'
import { ATTENTION, type AttentionFigures } from '@garantia/shared/orders/attention'
import { orderFilter } from '@garantia/shared/orders/criteria'
import type { Metrics, MetricsFilter } from '@garantia/shared/orders/metrics'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { countOrders, listOrders } from '../list/service.ts'
import { withFiles } from '../order/service.ts'
import { type Figures, readFigures } from './queries.ts'

const RECENT = 5
/** The five newest orders in the caller's scope. */
export const readRecentOrders = async (ctx: Ctx) =>
  withFiles(ctx, (await listOrders(ctx, { limit: RECENT })).items)

/**
 * How many orders in the caller's scope need somebody today, of each kind: the totals of the lists that the tiles lead
 * to. Refuses an anonymous caller with 401.
 */
export async function readAttention(ctx: Ctx): Promise<AttentionFigures> {
  authorize(ctx.actor, 'order.list')
  const figures = await Promise.all(
    ATTENTION.map(async ({ id, criteria }) => {
      const { total, total_is_exact } = await countOrders(ctx, orderFilter.parse(criteria))
      return [id, { orders: total, is_exact: total_is_exact }] as const
    }),
  )
  return Object.fromEntries(figures) as AttentionFigures
}

/**
 * The figures of D-26 over the orders in the caller's scope. Rates and growth in percent (0–100 for the
 * completion rate), times in hours, amounts in reais. «Last seven days» and growth are relative to today,
 * whatever the period. Refuses an anonymous caller with 401.
 */
export async function readMetrics(ctx: Ctx, period: MetricsFilter): Promise<Metrics> {
  authorize(ctx.actor, 'order.list')
  const today = isoDay(ctx.clock())
  const figures = await readFigures(ctx, period, { today, since: firstOfLastMonth(today) })
  const of = (...statuses: OrderStatus[]) =>
    total(figures.sums.filter(({ status }) => statuses.includes(status)).map(({ orders }) => orders))
  const orders = total(figures.sums.map((sum) => sum.orders))
  const completed = of('completed')
  const cents = total(figures.sums.map((sum) => sum.cents))
  const milliseconds = total(figures.sums.map((sum) => sum.milliseconds))
  const weekly_series = lastWeek(today, figures)
  return {
    total_orders: orders,
    completed_orders: completed,
    in_analysis_orders: of('in_analysis'),
    pending_orders: of('pending', 'pending_upload'),
    cancelled_orders: of('cancelled'),
    completion_rate: oneDecimal(orders && (completed / orders) * 100),
    average_processing_time_hours: oneDecimal(completed && milliseconds / completed / HOUR_MS),
    total_revenue: cents / 100,
    average_order_value: completed && Math.round(cents / completed) / 100,
    orders_by_brand: byBrand(figures),
    monthly_growth: growth(today, figures),
    weekly_orders: total(weekly_series.map((one) => one.orders)),
    weekly_series,
    active_brands: figures.active_brands,
    active_companies: figures.active_companies,
    total_customers: figures.customers,
  }
}

const HOUR_MS = 3_600_000
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
const oneDecimal = (value: number) => Math.round(value * 10) / 10

function byBrand({ sums }: Figures) {
  const orders = new Map<string, number>()
  for (const { brand, orders: more } of sums) orders.set(brand, (orders.get(brand) ?? 0) + more)
  return Object.fromEntries(orders)
}

/** Days are strings (yyyy-mm-dd) and are calculated in UTC, where every day has 24 hours. */
const plusDays = (day: string, days: number) => daysBefore(day, -days)
const firstOf = (day: string) => `${day.slice(0, 7)}-01`
const firstOfLastMonth = (today: string) => firstOf(plusDays(firstOf(today), -1))

function lastWeek(today: string, { days }: Figures) {
  const orders = new Map(days.map((one) => [one.day, one.orders]))
  return Array.from({ length: 7 }, (_, index) => {
    const day = plusDays(today, index - 6)
    return { day, orders: orders.get(day) ?? 0 }
  })
}

/**
 * Growth in percent of this month so far over the same days of the previous month; a shorter previous month
 * ends with its last day. 0 when that one had no orders.
 */
function growth(today: string, { days }: Figures) {
  const openedIn = (from: string, to: string) =>
    total(days.filter(({ day }) => day >= from && day <= to).map(({ orders }) => orders))
  const [before, first] = [firstOfLastMonth(today), firstOf(today)]
  const sameDay = plusDays(before, Number(today.slice(8)) - 1)
  const then = openedIn(before, sameDay < first ? sameDay : plusDays(first, -1))
  return then === 0 ? 0 : oneDecimal((openedIn(first, today) / then - 1) * 100)
}
