import { AppError, invalid } from '@garantia/shared/errors'
import type { BulkAction, BulkResult } from '@garantia/shared/orders/bulk'
import type { Ctx } from '../../../kernel/context.ts'
import { forEachOrder, removeMany, resumeMany, setStatusOfMany } from '../../orders/list/service.ts'
import { requestAll } from './request.ts'

/** Queues every unconverted file of several orders; orders with nothing to convert are refused one by one. */
export const convertMany = (ctx: Ctx, ids: number[]): Promise<BulkResult> =>
  forEachOrder(ctx, ids, async (id) => {
    const { total_files, message } = await requestAll(ctx, id)
    if (total_files === 0) throw new AppError('rule', message)
  })

/** One action of the REST bulk call. It stands here because conversion is the uppermost feature it needs. */
export function actOnMany(ctx: Ctx, { action, ids, status, ...why }: BulkAction): Promise<BulkResult> {
  if (action === 'convert') return convertMany(ctx, ids)
  if (action === 'delete') return removeMany(ctx, ids)
  if (action === 'resume') return resumeMany(ctx, ids)
  if (!status) throw invalid('Informe o novo status', 'status')
  return setStatusOfMany(ctx, { ids, status, ...why })
}
