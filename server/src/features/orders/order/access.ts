import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { seenBy } from '../../../kernel/scope.ts'
import { findOrder, visibleOrders } from './queries.ts'

const MISSING = 'Ordem de serviço não encontrada'

/**
 * The refusal of an order that is absent or of another company: to the caller the same, and in the same time;
 * the latter is noted in the security log.
 */
export async function missingOrder(ctx: Ctx, id: number) {
  const foreign = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (foreign) ctx.securityLog.note(ctx, { kind: 'refused.foreign_order', order_id: id })
  return notFound(MISSING)
}

/**
 * The order's row. 404 when it is absent, deleted or outside the caller's scope, so that the three cannot be
 * told apart.
 */
export async function visibleOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).executeTakeFirst()
  if (!order) throw await missingOrder(ctx, id)
  authorize(ctx.actor, 'order.read', order)
  return order
}

/**
 * The same, locked until the transaction ends, so that changes to an order and its files run one after the
 * other. Rows that reference it may be added meanwhile: an announced upload, which others wait for, must not
 * wait for the commit of another one.
 */
export async function lockedOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).forNoKeyUpdate().executeTakeFirst()
  if (!order) throw await missingOrder(ctx, id)
  return order
}

/** The visible ones of several orders by id, locked in the order of their ids, so that two callers never wait in turn. */
export async function lockedOrders(ctx: Ctx, ids: readonly number[]) {
  const orders = await visibleOrders(seenBy(ctx))
    .where(sql<boolean>`service_orders.id = any(${[...ids]}::bigint[])`)
    .selectAll('service_orders')
    .orderBy('service_orders.id')
    .forNoKeyUpdate()
    .execute()
  return new Map(orders.map((order) => [order.id, order]))
}
