import { AppError, textOf } from '@garantia/shared/errors'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { tell } from '../../people/notifications/service.ts'
import {
  companiesSeenBy,
  lockedOrders,
  missingOrder,
  NOT_HERE,
  namesOfPeople,
  type OrderRow,
} from '../order/service.ts'

interface Assignment {
  ids: readonly number[]
  responsible_user_id: number | null
}

/**
 * Makes one person, or nobody, responsible for several orders, by the rules of `changeOrder` for each and in as many
 * statements for all. Returns which orders succeeded and why the others were refused; one notification tells the person
 * of all. Refuses an anonymous caller with 401.
 */
export async function assignMany(ctx: Ctx, { ids, responsible_user_id }: Assignment): Promise<BulkResult> {
  authorize(ctx.actor, 'order.list')
  return inTransaction(ctx, async (ctx) => {
    const orders = await lockedOrders(ctx, ids)
    const seen = await companiesSeenBy(ctx, responsible_user_id, orders)
    const result: BulkResult = { done: [], refused: [] }
    const changed: OrderRow[] = []
    for (const id of new Set(ids)) {
      const order = orders.get(id)
      const detail = order
        ? refusalOf(ctx, order, responsible_user_id, seen)
        : textOf((await missingOrder(ctx, id)).detail)
      if (detail !== null) result.refused.push({ id, os_number: order?.os_number ?? null, detail })
      else if (order) {
        result.done.push({ id, os_number: order.os_number })
        if (order.responsible_user_id !== responsible_user_id) changed.push(order)
      }
    }
    if (changed.length > 0) await assign(ctx, changed, responsible_user_id)
    return result
  })
}

function refusalOf(ctx: Ctx, order: OrderRow, person: number | null, seen: ReadonlySet<number>) {
  try {
    authorize(ctx.actor, 'order.change', order)
  } catch (error) {
    if (error instanceof AppError) return textOf(error.detail)
    throw error
  }
  if (isClosed(order.status)) return CLOSED_ORDER
  if (person === null || person === order.responsible_user_id || seen.has(order.company_id)) return null
  return NOT_HERE
}

async function assign(ctx: Ctx, orders: readonly OrderRow[], person: number | null) {
  const ids = orders.map(({ id }) => id)
  const names = await namesOfPeople(ctx, [person, ...orders.map((one) => one.responsible_user_id)])
  const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? null))
  await ctx.db
    .updateTable('service_orders')
    .set((eb) => ({
      responsible_user_id: person,
      version: eb('version', '+', 1),
      updated_at: ctx.clock(),
    }))
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
  await recordEvents(
    ctx,
    orders.map(({ id, responsible_user_id: before }) => ({
      subject: 'order',
      subject_id: id,
      kind: 'changed',
      changes: {
        responsible_user_id: [before, person],
        responsible_name: [nameOf(before), nameOf(person)],
      },
    })),
  )
  const [first, ...others] = orders
  if (person === null || !first) return
  const about = { user_id: person, order_id: first.id }
  const numbers = orders.map(({ os_number }) => os_number).join(', ')
  await tell(ctx, [
    others.length === 0
      ? { ...about, kind: 'order.assigned' }
      : { ...about, kind: 'orders.assigned', times: orders.length, text: numbers },
  ])
}
