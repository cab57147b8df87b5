import { AppError, textOf } from '@garantia/shared/errors'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import type { StatusChange } from '@garantia/shared/orders/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { removeOrder, resumeOrder, setStatus } from '../order/service.ts'

/** Sets the status of several orders, as `setStatus` does for one. */
export const setStatusOfMany = (ctx: Ctx, { ids, ...change }: StatusChange & { ids: number[] }) =>
  forEachOrder(ctx, ids, (id) => setStatus(ctx, id, change))

/** Resumes several paused orders, as `resumeOrder` does for one. */
export const resumeMany = (ctx: Ctx, ids: number[]) => forEachOrder(ctx, ids, (id) => resumeOrder(ctx, id))

/** Deletes several orders, as `removeOrder` does for one. */
export const removeMany = (ctx: Ctx, ids: number[]) => forEachOrder(ctx, ids, (id) => removeOrder(ctx, id))

const FAULT = 'Erro interno. Tente novamente.'

/**
 * Runs `act` for each order in turn, as `forEachOf`. Refuses an anonymous caller with 401.
 */
export async function forEachOrder(ctx: Ctx, ids: readonly number[], act: (id: number) => Promise<unknown>) {
  authorize(ctx.actor, 'order.list')
  return forEachOf(ctx, ids, await numbersOf(ctx, ids), act)
}

/**
 * Runs `act` for each id in turn, each in its own transaction: a refused one does not undo the others. Returns which
 * succeeded and, for each refused one, the reason; unexpected errors are logged and reported as an internal error.
 * `numbers`: of the orders, by id, as far as the caller sees them.
 */
export async function forEachOf(
  ctx: Ctx,
  ids: readonly number[],
  numbers: ReadonlyMap<number, string>,
  act: (id: number) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], refused: [] }
  for (const id of new Set(ids)) {
    const os_number = numbers.get(id)
    try {
      await act(id)
      result.done.push({ id, os_number: os_number ?? '' })
    } catch (error) {
      if (!(error instanceof AppError)) ctx.log.error({ err: error, id }, 'ação em lote falhou')
      const detail = error instanceof AppError ? textOf(error.detail) : FAULT
      result.refused.push({ id, os_number: os_number ?? null, detail })
    }
  }
  return result
}

async function numbersOf(ctx: Ctx, ids: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('service_orders')
    .where('service_orders.id', 'in', ids)
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .select(['service_orders.id', 'os_number'])
    .execute()
  return new Map(rows.map(({ id, os_number }) => [id, os_number]))
}
