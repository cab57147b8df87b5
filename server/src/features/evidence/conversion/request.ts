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

/** Puts one file in the queue. */
export async function requestConversion(ctx: Ctx, evidence_id: number, force = false) {
  const { file, order } = await visibleFile(ctx, evidence_id)
  authorize(ctx.actor, 'evidence.convert', order)
  const queued = await enqueueSelectedFiles(ctx, order.id, force, (candidate) => candidate.id === file.id)
  if (queued === 0 && file.status === 'converted') throw ruleViolation('Este arquivo já foi convertido.')
  return { message: 'Conversão iniciada', evidence_id, status: 'converting' as const }
}

/** Puts every file that is not converted in the queue; with `force`, the converted ones too. */
export async function requestAll(ctx: Ctx, order_id: number, force = false) {
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

/** For a brand that converts after each upload (D-20): queues what nobody has tried yet, if it still may. */
export async function convertUploads(ctx: Ctx, order_id: number) {
  return enqueueSelectedFiles(ctx, order_id, false, (file) => file.status === 'pending').catch(
    (error: unknown) => {
      // Closed or deleted since the upload: there is nothing left to do.
      if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')) return 0
      throw error
    },
  )
}

/** Queues every failed file again, order by order; closed orders are left alone. */
export async function retryFailed(ctx: Ctx) {
  const failed = await ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'evidence_files.order_id')
    .where('evidence_files.status', '=', 'failed')
    .where('evidence_files.deleted_at', 'is', null)
    .where('service_orders.deleted_at', 'is', null)
    .where('service_orders.status', 'not in', ['completed', 'cancelled'])
    .select('evidence_files.order_id')
    .distinct()
    .execute()
  let total_files = 0
  for (const { order_id } of failed)
    total_files += await enqueueSelectedFiles(ctx, order_id, false, (file) => file.status === 'failed')
  return { orders: failed.length, total_files }
}

/** Puts the chosen files of an order in the queue, as far as their state allows; says how many. */
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
