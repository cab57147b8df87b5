import { conflict, notFound } from '@garantia/shared/errors'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canDelete } from '@garantia/shared/evidence/status'
import { isUnderLegalHold, UNDER_LEGAL_HOLD } from '@garantia/shared/orders/hold'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder, recompute } from '../../orders/order/service.ts'
import { MISSING, orderOf, refuseTooManyFiles, visibleFile } from './access.ts'
import { nameInPackage } from './naming.ts'
import { presentFile } from './present.ts'
import { countFiles, findDuplicates, findFile, findUnpurged, freeSequence } from './queries.ts'
import { enqueueReadings } from './reading.ts'

/**
 * Deletes a file. Its row and bytes stay in the bin for 30 days (D-17). 404 outside the caller's scope; 403
 * without permission; 409 when the order is closed or under legal hold, or the file is being converted.
 */
export async function removeEvidence(ctx: Ctx, id: number) {
  const { file, order } = await visibleFile(ctx, id)
  authorize(ctx.actor, 'evidence.delete', { ...order, uploaded_by: file.uploaded_by })
  return inTransaction(ctx, async (ctx) => {
    const locked = await lockedOrder(ctx, order.id)
    if (isClosed(locked.status)) throw conflict(CLOSED_ORDER)
    if (isUnderLegalHold(locked)) throw conflict(UNDER_LEGAL_HOLD)
    const current = await findFile(ctx, id)
    if (!current) throw notFound(MISSING)
    if (!canDelete(current.status)) throw conflict('Arquivo em conversão. Aguarde o término para excluir.')
    await ctx.db
      .updateTable('evidence_files')
      .set({ deleted_at: ctx.clock(), deleted_by: ctx.actor.kind === 'user' ? ctx.actor.id : null })
      .where('id', '=', id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'evidence.deleted',
      changes: { evidence_id: id, filename: current.original_filename, sha256: current.sha256 },
    })
    await recompute(ctx, order.id)
    return { message: 'Arquivo excluído' }
  })
}

/**
 * Restores a deleted file while it is in the bin; returns it unchanged when it is not deleted. 404 outside
 * the caller's scope or once purged; 403 without permission; 409 when the order is closed, contains the same
 * bytes again, or has too many files.
 */
export async function restoreEvidence(ctx: Ctx, id: number): Promise<EvidenceFile> {
  const unpurged = await findUnpurged(ctx, id)
  if (!unpurged) throw notFound(MISSING)
  const { order_id, uploaded_by } = unpurged
  authorize(ctx.actor, 'evidence.delete', { ...(await orderOf(ctx, unpurged)), uploaded_by })
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const file = await findUnpurged(ctx, id)
    if (!file) throw notFound(MISSING)
    if (file.deleted_at === null) return presentFile(ctx, file, order)
    if ((await findDuplicates(ctx, order_id, [file.sha256])).size > 0)
      throw conflict('Este arquivo já está na OS.')
    refuseTooManyFiles((await countFiles(ctx, order_id)) + 1)
    // Another file may have taken its number and its name in the package.
    const category_seq = await freeSequence(ctx, order_id, file.evidence_category)
    const known = { order, brand: await findBrand(ctx, order.brand_id) }
    const { converted_filename: name } = file
    const ext = name?.slice(name.lastIndexOf('.') + 1)
    const row = await ctx.db
      .updateTable('evidence_files')
      .set({
        deleted_at: null,
        deleted_by: null,
        category_seq,
        ...(ext && { converted_filename: await nameInPackage(ctx, known, { ...file, category_seq }, ext) }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'evidence.restored',
      changes: { evidence_id: id, filename: row.original_filename, sha256: row.sha256 },
    })
    await enqueueReadings(ctx, [row])
    await recompute(ctx, order_id, known)
    return presentFile(ctx, row, order)
  })
}
