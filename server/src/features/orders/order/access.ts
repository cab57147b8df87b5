import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { findOrder } from './queries.ts'

export const MISSING = 'Ordem de serviço não encontrada'

/** The order's own row, when the caller may see it; absent, deleted and out of scope are one answer. */
export async function visibleOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).executeTakeFirst()
  if (!order) throw notFound(MISSING)
  authorize(ctx.actor, 'order.read', order)
  return order
}

/** The same, locked until the transaction ends: whoever changes its files goes one after the other. */
export async function lockedOrder(ctx: Ctx, id: number) {
  const order = await findOrder(ctx, id).forUpdate().executeTakeFirst()
  if (!order) throw notFound(MISSING)
  return order
}
