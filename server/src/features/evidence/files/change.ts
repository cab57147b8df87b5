import { conflict, notFound } from '@garantia/shared/errors'
import type { EvidenceChange, EvidenceFile } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { differences, recordEvent } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder, recompute } from '../../orders/order/service.ts'
import { MISSING, visibleFile } from './access.ts'
import { nameInPackage, type OrderOfBrand } from './naming.ts'
import { presentFile } from './present.ts'
import { type EvidenceRow, findFile, freeSequence } from './queries.ts'
import { enqueueReadings } from './reading.ts'

/**
 * Changes category or description of a file. Its bytes stay; its name in the package follows the category.
 * 404 outside the caller's scope; 403 without permission; 409 when the order is closed.
 */
export async function changeEvidence(ctx: Ctx, id: number, change: EvidenceChange): Promise<EvidenceFile> {
  const seen = await visibleFile(ctx, id)
  authorize(ctx.actor, 'evidence.change', seen.order)
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, seen.order.id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const before = await findFile(ctx, id)
    if (!before) throw notFound(MISSING)
    const changes = differences<object>(before, change)
    if (!changes) return presentFile(ctx, before, order)
    const known = { order, brand: await findBrand(ctx, order.brand_id) }
    const moved = 'evidence_category' in changes ? await columnsForCategory(ctx, known, before, change) : {}
    const row = await ctx.db
      .updateTable('evidence_files')
      .set({ ...change, ...moved })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'evidence.changed',
      changes: { evidence_id: id, filename: row.original_filename, ...changes },
    })
    await enqueueReadings(ctx, [row])
    await recompute(ctx, order.id, known)
    return presentFile(ctx, row, order)
  })
}

async function columnsForCategory(
  ctx: Ctx,
  known: OrderOfBrand,
  file: EvidenceRow,
  { evidence_category = null }: EvidenceChange,
) {
  const category_seq = await freeSequence(ctx, known.order.id, evidence_category)
  const { converted_filename: name } = file
  if (name === null) return { category_seq }
  const ext = name.slice(name.lastIndexOf('.') + 1)
  const renamed = await nameInPackage(ctx, known, { ...file, evidence_category, category_seq }, ext)
  return { category_seq, converted_filename: renamed }
}
