import { AppError, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../kernel/context.ts'
import { visibleOrder } from '../orders/service.ts'
import { findFile } from './queries.ts'

export const MISSING = 'Evidência não encontrada'

/** A file with its order, when the caller may see both. */
export async function visibleFile(ctx: Ctx, id: number) {
  const file = await findFile(ctx, id)
  if (!file) throw notFound(MISSING)
  const order = await visibleOrder(ctx, file.order_id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') throw notFound(MISSING)
    throw error
  })
  authorize(ctx.actor, 'evidence.read', order)
  return { file, order }
}
