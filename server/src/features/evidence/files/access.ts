import { AppError, conflict, notFound } from '@garantia/shared/errors'
import { MAX_ORDER_FILES } from '@garantia/shared/evidence/upload'
import { integer } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import { findFile } from './queries.ts'

export const MISSING = 'Evidência não encontrada'

/** The order of a file. 404, worded as for a missing file, when the order is outside the caller's scope. */
export async function orderOf(ctx: Ctx, file: { order_id: number }) {
  const order = await visibleOrder(ctx, file.order_id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') throw notFound(MISSING)
    throw error
  })
  authorize(ctx.actor, 'evidence.read', order)
  return order
}

/** A file with its order. 404 when either is absent, deleted or outside the caller's scope. */
export async function visibleFile(ctx: Ctx, id: number) {
  const file = await findFile(ctx, id)
  if (!file) throw notFound(MISSING)
  return { file, order: await orderOf(ctx, file) }
}

/** Refuses with 409 to let an order have this many files. To be called under the order's lock. */
export function refuseTooManyFiles(files: number) {
  if (files > MAX_ORDER_FILES)
    throw conflict(
      `Uma OS guarda no máximo ${integer(MAX_ORDER_FILES)} arquivos. Exclua os que não são necessários.`,
    )
}
