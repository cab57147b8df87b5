import { conflict, notFound, ruleViolation } from '@garantia/shared/errors'
import { MARKED_MEANWHILE, type Mark, type MarksInput, storedMarksOf } from '@garantia/shared/evidence/marks'
import type { EvidenceDetail, Rotation } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedOrder } from '../../orders/order/service.ts'
import { type EvidenceRow, enqueueReadings, liveFile, readEvidence, visibleFile } from '../files/service.ts'
import { enqueueSelectedFiles } from './request.ts'
import { keepUnmarkedCopy, restoreUnmarkedCopy } from './unmarked-copy.ts'

/**
 * Sets the rotation of a photo. The original is not changed: the angle is stored and applied by the
 * conversion, and a converted or running copy is converted again. 404 outside the caller's scope; 403 without
 * permission; 400 unless it is a photo; 409 when the order is closed or the file has expired.
 */
export async function rotatePhoto(ctx: Ctx, id: number, rotation: Rotation): Promise<EvidenceDetail> {
  await changePhoto(ctx, id, 'Só fotos podem ser giradas.', async (ctx, before) => {
    if (before.rotation === rotation) return
    await setBeforeConversion(ctx, before, { rotation })
    await recordChange(ctx, 'evidence.turned', before, { rotation: [before.rotation, rotation] })
    await enqueueReadings(ctx, [{ ...before, rotation }])
    await convertAgain(ctx, before)
  })
  return readEvidence(ctx, id)
}

/**
 * Sets what is drawn beside a photo; no mark removes all of them. Neither original nor thumbnail is changed: the
 * conversion draws them onto the copy, and a converted or running one is converted again. The copy from before the first
 * mark is kept, and is the file's copy again, byte for byte, when the last one is removed, unless the brand's rules do
 * not accept it any more. Refusals as of rotatePhoto, and 409 when the photo has other marks than `seen_marks`.
 */
export async function markPhoto(
  ctx: Ctx,
  id: number,
  { marks, seen_marks }: MarksInput,
): Promise<EvidenceDetail> {
  const replaced = await changePhoto(ctx, id, 'Só fotos podem ser marcadas.', async (ctx, before) => {
    const known = storedMarksOf(before.marks)
    // What cannot be read is something all the same, and no marks replace it.
    if (areSame(known, marks) && (before.marks === null) === (marks.length === 0)) return []
    if (seen_marks && !areSame(known, seen_marks)) throw conflict(MARKED_MEANWHILE)
    if (before.marks === null) await keepUnmarkedCopy(ctx, before)
    await setBeforeConversion(ctx, before, { marks: marks.length > 0 ? JSON.stringify(marks) : null })
    await recordChange(ctx, 'evidence.marked', before, { marks: [known, marks] })
    const restored = marks.length > 0 ? null : await restoreUnmarkedCopy(ctx, before)
    if (!restored?.is_restored) await convertAgain(ctx, before)
    return restored?.replaced ?? []
  })
  for (const key of replaced ?? []) await ctx.storage.remove(key)
  return readEvidence(ctx, id)
}

const areSame = (some: readonly Mark[], others: readonly Mark[]) =>
  JSON.stringify(some) === JSON.stringify(others)

/** Calls `change` with a photo that may be changed, in a transaction and under its order's lock. */
async function changePhoto<T>(
  ctx: Ctx,
  id: number,
  only_photos: string,
  change: (ctx: Ctx, before: EvidenceRow) => Promise<T>,
) {
  const { file, order } = await visibleFile(ctx, id)
  authorize(ctx.actor, 'evidence.change', order)
  if (file.file_type !== 'image') throw ruleViolation(only_photos)
  return inTransaction(ctx, async (ctx) => {
    const { status } = await lockedOrder(ctx, order.id)
    if (isClosed(status)) throw conflict(CLOSED_ORDER)
    const before = await liveFile(ctx, id)
    if (!before) throw notFound('Evidência não encontrada')
    if (before.purged_at) throw conflict(EXPIRED_FILE)
    return change(ctx, before)
  })
}

/** Sets what the next conversion is to respect; the result of a running one is not accepted any more. */
const setBeforeConversion = (
  ctx: Ctx,
  before: EvidenceRow,
  columns: { rotation: Rotation } | { marks: string | null },
) =>
  ctx.db
    .updateTable('evidence_files')
    .set({
      ...columns,
      // No fallback copy: the existing one is of before.
      is_reencode_pass: false,
      is_copy_outdated: before.converted_key !== null,
      ...(isRunning(before) && { status: 'pending' as const, attempt: before.attempt + 1 }),
    })
    .where('id', '=', before.id)
    .execute()

const recordChange = (
  ctx: Ctx,
  kind: string,
  { id, order_id, original_filename }: EvidenceRow,
  changes: Record<string, unknown>,
) =>
  recordEvent(ctx, {
    subject: 'order',
    subject_id: order_id,
    kind,
    changes: { evidence_id: id, filename: original_filename, ...changes },
  })

async function convertAgain(ctx: Ctx, before: EvidenceRow) {
  if (before.status === 'converted' || isRunning(before))
    await enqueueSelectedFiles(ctx, before.order_id, true, ({ id }) => id === before.id)
}

/** A worker is converting it as it was; incrementing the attempt invalidates its result. */
const isRunning = ({ status, started_at }: EvidenceRow) => status === 'converting' && started_at !== null
