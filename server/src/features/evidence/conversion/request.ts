import { AppError, conflict, ruleViolation } from '@garantia/shared/errors'
import { canConvert } from '@garantia/shared/evidence/status'
import { counted } from '@garantia/shared/format'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder, recompute, visibleOrder } from '../../orders/order/service.ts'
import { type EvidenceRow, liveFiles, visibleFile } from '../files/service.ts'
import { enqueueConversions } from './enqueue.ts'
import { failedFiles } from './queries.ts'

/**
 * Queues one file; with `force` also a converted one, while one that is converting is left alone. 404 outside
 * the caller's scope; 403 without permission; 409 when the order is closed; 400 when it is converted already.
 */
export async function requestConversion(ctx: Ctx, evidence_id: number, force = false) {
  const { file, order } = await visibleFile(ctx, evidence_id)
  authorize(ctx.actor, 'evidence.convert', order)
  const queued = await enqueueSelectedFiles(ctx, order.id, force, (candidate) => candidate.id === file.id)
  if (queued === 0 && file.status === 'converted') throw ruleViolation('Este arquivo já foi convertido.')
  return { message: 'Conversão iniciada', evidence_id, status: 'converting' as const }
}

/**
 * Queues every file of an order that is not converted; with `force`, the converted ones too. Returns their
 * number, which may be 0. 404 outside the caller's scope; 403 without permission; 409 when the order is
 * closed.
 */
export async function requestAllConversions(ctx: Ctx, order_id: number, force = false) {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.convert', order)
  const total_files = await enqueueSelectedFiles(ctx, order_id, force, () => true)
  return {
    message:
      total_files === 0
        ? 'Nenhum arquivo para converter'
        : `Conversão em lote iniciada: ${counted(total_files, 'arquivo', 'arquivos')}`,
    total_files,
  }
}

/**
 * Queues the files not tried yet, for a brand that converts after each upload (D-20); returns their number, 0
 * when the order was closed or deleted meanwhile.
 */
export async function convertUploads(ctx: Ctx, order_id: number) {
  return enqueueSelectedFiles(ctx, order_id, false, (file) => file.status === 'pending').catch(
    (error: unknown) => {
      // Closed or deleted since the upload.
      if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')) return 0
      throw error
    },
  )
}

/** Queues every failed file again, except in closed orders; returns the number of orders and files. */
export async function retryFailed(ctx: Ctx) {
  const failed = await failedFiles(ctx).select('evidence_files.order_id').distinct().execute()
  let total_files = 0
  for (const { order_id } of failed)
    total_files += await enqueueSelectedFiles(ctx, order_id, false, (file) => file.status === 'failed')
  return { orders: failed.length, total_files }
}

/**
 * Queues the chosen files as far as their state allows and returns their number. Files that are converting or
 * expired are skipped. Permissions are checked by the caller; 404 when the order is gone, 409 when it is
 * closed.
 */
export function enqueueSelectedFiles(
  ctx: Ctx,
  order_id: number,
  force: boolean,
  chosen: (file: EvidenceRow) => boolean,
) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const files = (await liveFiles(ctx, order_id)).filter(
      (file) => chosen(file) && canConvert(file.status, force) && !file.purged_at,
    )
    if (files.length === 0) return 0
    await enqueueConversions(ctx, files, false)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'conversion.requested',
      changes: { evidence_ids: files.map((file) => file.id) },
    })
    await recompute(ctx, order_id)
    return files.length
  })
}
