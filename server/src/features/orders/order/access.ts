import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { findOrder } from './queries.ts'

export const MISSING = 'Ordem de serviço não encontrada'

/**
 * The order's row. 404 when it is absent, deleted or outside the caller's scope, so that the three cannot be
 * told apart.
 */
export async function visibleOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).executeTakeFirst()
  if (!order) throw notFound(MISSING)
  authorize(ctx.actor, 'order.read', order)
  return order
}

/**
 * The same, locked until the transaction ends, so that changes to an order and its files run one after the
 * other.
 */
export async function lockedOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).forUpdate().executeTakeFirst()
  if (!order) throw notFound(MISSING)
  return order
}
