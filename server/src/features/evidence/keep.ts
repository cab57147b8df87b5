import { randomUUID } from 'node:crypto'
import { AppError, conflict } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { UploadFields, UploadResult } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, enqueue, inTransaction } from '../../kernel/context.ts'
import { violatedIndex } from '../../kernel/database.ts'
import { recordEvent } from '../../kernel/events.ts'
import { findBrand } from '../brands/service.ts'
import { lockedOrder, recompute, visibleOrder } from '../orders/service.ts'
import { type Judged, judge, type Spooled } from './intake.ts'
import { type EvidenceRow, findSameBytes, freeSequence } from './queries.ts'

/** Asked before a byte is read; a closed order is asked for again under its lock. */
export async function mayTakeFiles(ctx: Ctx, order_id: number) {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.upload', order)
  if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
}

export type Kept = { row: EvidenceRow } | { skipped: UploadResult['skipped'][number] }

interface Taking {
  /** Name of the new object's folder, when another try may follow: it finds there what this one left. */
  folder?: string
  /** Runs in the transaction that makes the file evidence. */
  settle?: (ctx: Ctx, evidence_id: number) => Promise<unknown>
}

/**
 * A whole file on our disk becomes evidence of its order, or is refused with a reason. What the order
 * already holds byte for byte is skipped; the file then stays where it is.
 */
export async function takeFile(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  spooled: Spooled,
  { folder, settle }: Taking = {},
): Promise<Kept> {
  const file = await judge(spooled)
  const twin = await findSameBytes(ctx, order_id, file.sha256)
  if (twin) return { skipped: skippedAs(file, twin.id) }
  const { ext, type } = FORMATS[file.format]
  const key = `os/${order_id}/${folder ?? randomUUID()}/original.${ext}`
  await ctx.storage.adopt(key, file.path)
  try {
    return { row: await addRow(ctx, order_id, about, file, key, type, settle) }
  } catch (error) {
    const winner =
      violatedIndex(error) === 'evidence_once' && (await findSameBytes(ctx, order_id, file.sha256))
    const isRefused = winner || error instanceof AppError
    if (isRefused || !(folder || (await mayBeNamed(ctx, key)))) await ctx.storage.remove(key)
    if (winner) return { skipped: skippedAs(file, winner.id) }
    throw error
  }
}
/** A connection that broke at the commit does not say whether a row names the object now. */
const mayBeNamed = (ctx: Ctx, original_key: string) =>
  ctx.db
    .selectFrom('evidence_files')
    .where('original_key', '=', original_key)
    .select('id')
    .executeTakeFirst()
    .catch(() => true)

const skippedAs = (file: Judged, evidence_id: number) => ({
  filename: file.filename,
  evidence_id,
  detail: 'Este arquivo já está na OS.',
})

function addRow(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  file: Judged,
  original_key: string,
  file_type: EvidenceRow['file_type'],
  settle: Taking['settle'],
) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const evidence_category = (about.category ?? null) as EvidenceRow['evidence_category']
    const row = await ctx.db
      .insertInto('evidence_files')
      .values({
        order_id,
        file_type,
        format: file.format,
        evidence_category,
        description: about.description ?? null,
        original_filename: file.filename,
        original_key,
        file_size: file.size,
        sha256: file.sha256,
        crc32: file.crc32,
        width: file.width,
        height: file.height,
        original_width: file.width,
        original_height: file.height,
        category_seq: await freeSequence(ctx, order_id, evidence_category),
        uploaded_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        uploaded_at: ctx.clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (file_type !== 'document')
      await enqueue(
        ctx,
        'preview-evidence',
        { evidence_id: row.id },
        { key: `preview:${row.id}`, priority: -10 },
      )
    if ((await findBrand(ctx, order.brand_id)).auto_convert)
      await enqueue(ctx, 'convert-uploads', { order_id }, { key: `convert-uploads:${order_id}` })
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'evidence.uploaded',
      changes: {
        evidence_id: row.id,
        filename: file.filename,
        sha256: file.sha256,
        category: evidence_category,
      },
    })
    await settle?.(ctx, row.id)
    await recompute(ctx, order_id)
    return row
  })
}
