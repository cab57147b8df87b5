import { conflict, notFound, ruleViolation } from '@garantia/shared/errors'
import type { EvidenceDetail, Rotation } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import { type EvidenceRow, enqueueReadings, liveFile, readEvidence, visibleFile } from '../files/service.ts'
import { enqueueSelectedFiles } from './request.ts'

/**
 * Sets the rotation of a photo. The original is not changed: the angle is stored and applied by the
 * conversion, and a converted or running copy is converted again. 404 outside the caller's scope; 403 without
 * permission; 400 unless it is a photo; 409 when the order is closed or the file has expired.
 */
export async function rotatePhoto(ctx: Ctx, id: number, rotation: Rotation): Promise<EvidenceDetail> {
  const { file, order } = await visibleFile(ctx, id)
  authorize(ctx.actor, 'evidence.change', order)
  if (file.file_type !== 'image') throw ruleViolation('Só fotos podem ser giradas.')
  return inTransaction(ctx, async (ctx) => {
    const { status } = await lockedOrder(ctx, order.id)
    if (isClosed(status)) throw conflict(CLOSED_ORDER)
    const before = await liveFile(ctx, id)
    if (!before) throw notFound('Evidência não encontrada')
    if (before.purged_at) throw conflict(EXPIRED_FILE)
    if (before.rotation !== rotation) {
      await ctx.db
        .updateTable('evidence_files')
        .set({
          rotation,
          // No fallback copy: the existing one has the old angle.
          is_reencode_pass: false,
          ...(isRunning(before) && { status: 'pending', attempt: before.attempt + 1 }),
        })
        .where('id', '=', id)
        .execute()
      await recordEvent(ctx, {
        subject: 'order',
        subject_id: order.id,
        kind: 'evidence.turned',
        changes: {
          evidence_id: id,
          filename: before.original_filename,
          rotation: [before.rotation, rotation],
        },
      })
      await enqueueReadings(ctx, [{ ...before, rotation }])
      if (before.status === 'converted' || isRunning(before))
        await enqueueSelectedFiles(ctx, order.id, true, (candidate) => candidate.id === id)
    }
    return readEvidence(ctx, id)
  })
}

/** A worker is converting it with the old angle; incrementing the attempt invalidates its result. */
const isRunning = ({ status, started_at }: EvidenceRow) => status === 'converting' && started_at !== null
