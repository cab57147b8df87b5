import { AppError, invalid } from '@garantia/shared/errors'
import type { BulkAction, BulkResult } from '@garantia/shared/orders/bulk'
import type { Ctx } from '../../../kernel/context.ts'
import {
  assignMany,
  forEachOrder,
  removeMany,
  resumeMany,
  setStatusOfMany,
} from '../../orders/list/service.ts'
import { requestAllConversions } from './request.ts'

/**
 * Queues every unconverted file of several orders. Returns which orders succeeded and why the others were
 * refused; an order with nothing to convert is refused.
 */
export const convertMany = (ctx: Ctx, ids: number[]): Promise<BulkResult> =>
  forEachOrder(ctx, ids, async (id) => {
    const { total_files, message } = await requestAllConversions(ctx, id)
    if (total_files === 0) throw new AppError('rule', message)
  })

/**
 * Runs one action of the REST bulk call; defined here because conversion is the highest feature it needs. 422
 * when the new status is missing; refusals of single orders are part of the result.
 */
export function runBulkAction(
  ctx: Ctx,
  { action, ids, status, responsible_user_id, ...why }: BulkAction,
): Promise<BulkResult> {
  if (action === 'convert') return convertMany(ctx, ids)
  if (action === 'delete') return removeMany(ctx, ids)
  if (action === 'resume') return resumeMany(ctx, ids)
  if (action === 'assign') {
    if (responsible_user_id === undefined) throw invalid('Informe o novo responsável', 'responsible_user_id')
    return assignMany(ctx, { ids, responsible_user_id })
  }
  if (!status) throw invalid('Informe o novo status', 'status')
  return setStatusOfMany(ctx, { ids, status, ...why })
}
