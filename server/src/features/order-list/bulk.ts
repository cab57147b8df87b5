import { AppError, invalid, textOf } from '@garantia/shared/errors'
import type { BulkAction, BulkResult } from '@garantia/shared/orders/bulk'
import type { StatusChange } from '@garantia/shared/orders/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../kernel/context.ts'
import { inScope } from '../../kernel/scope.ts'
import { requestAll } from '../conversion/service.ts'
import { removeOrder, resumeOrder, setStatus } from '../orders/service.ts'

export const setStatusOfMany = (ctx: Ctx, { ids, ...change }: StatusChange & { ids: number[] }) =>
  each(ctx, ids, (id) => setStatus(ctx, id, change))

export const resumeMany = (ctx: Ctx, ids: number[]) => each(ctx, ids, (id) => resumeOrder(ctx, id))

export const convertMany = (ctx: Ctx, ids: number[]) =>
  each(ctx, ids, async (id) => {
    const { total_files, message } = await requestAll(ctx, id)
    if (total_files === 0) throw new AppError('rule', message)
  })

export const removeMany = (ctx: Ctx, ids: number[]) => each(ctx, ids, (id) => removeOrder(ctx, id))

export function actOnMany(ctx: Ctx, { action, ids, status, ...why }: BulkAction) {
  if (action === 'convert') return convertMany(ctx, ids)
  if (action === 'delete') return removeMany(ctx, ids)
  if (action === 'resume') return resumeMany(ctx, ids)
  if (!status) throw invalid('Informe o novo status', 'status')
  return setStatusOfMany(ctx, { ids, status, ...why })
}

const FAULT = 'Erro interno. Tente novamente.'

/** One order after the other, each in a transaction of its own: what is refused leaves the others done. */
async function each(
  ctx: Ctx,
  ids: readonly number[],
  act: (id: number) => Promise<unknown>,
): Promise<BulkResult> {
  authorize(ctx.actor, 'order.list')
  const numbers = await numbersOf(ctx, ids)
  const result: BulkResult = { done: [], refused: [] }
  for (const id of new Set(ids)) {
    const os_number = numbers.get(id)
    try {
      await act(id)
      result.done.push({ id, os_number: os_number ?? '' })
    } catch (error) {
      if (!(error instanceof AppError)) ctx.log.error({ err: error, order_id: id }, 'ação em lote falhou')
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
