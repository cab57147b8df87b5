import { randomUUID } from 'node:crypto'
import { AppError, conflict } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { UploadFields, UploadResult } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, enqueue, enqueueAll, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { lockedOrder, recompute, visibleOrder } from '../../orders/order/service.ts'
import type { IdentifiedFile } from './identify-file.ts'
import type { Spooled } from './intake.ts'
import { type EvidenceRow, findDuplicates, freeSequences } from './queries.ts'

/**
 * Checked before a byte is read; whether the order is closed is checked again under its lock. Returns the order.
 * 404 outside the caller's scope; 403 without permission; 409 when the order is closed.
 */
export async function assertMayUpload(ctx: Ctx, order_id: number) {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.upload', order)
  if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
  return order
}

export type PersistedFile = { row: EvidenceRow } | { skipped: UploadResult['skipped'][number] }
type Outcome = PersistedFile | { refused: AppError }

interface PersistOptions {
  /**
   * Name of the new object's folder when the upload can be retried: the retry finds there what this one left.
   */
  folder?: string
  /** Runs in the transaction that inserts the evidence. */
  onPersisted?: (ctx: Ctx, evidence_id: number) => Promise<unknown>
}

/**
 * Stores one file as `persistFiles` does; a refusal is thrown: 415, 422 or, when the order is closed, 409.
 */
export async function persistFile(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  spooled: Spooled,
  taking: PersistOptions,
): Promise<PersistedFile> {
  const [outcome] = await persistFiles(ctx, order_id, about, [spooled], taking)
  if (!outcome) throw new Error('a file without an outcome')
  if ('refused' in outcome) throw outcome.refused
  return outcome
}

/**
 * Stores files from the local disk as evidence of their order. Each gets its own outcome: stored, skipped as
 * a byte-identical duplicate (then it stays where it is), or refused with 415 or 422. All accepted files are
 * inserted in one transaction, which also queues previews and conversions. Throws 404 or 409 when the order
 * is deleted or closed meanwhile.
 */
export async function persistFiles(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  spooled: readonly Spooled[],
  taking: PersistOptions = {},
): Promise<Outcome[]> {
  const judged = await mapInBatches(spooled, identifyOrRefuse)
  const good = judged.flatMap((one) => ('refused' in one ? [] : [one.file]))
  const sums = [...new Set(good.map(({ sha256 }) => sha256))]
  const duplicates = await findDuplicates(ctx, order_id, sums)
  const fresh = sums.flatMap((sum) =>
    duplicates.has(sum) ? [] : (good.find((file) => file.sha256 === sum) ?? []),
  )
  const rows = await storeAll(ctx, order_id, about, fresh, taking, duplicates)
  return judged.map((one): Outcome => {
    if ('refused' in one) return one
    const { file } = one
    const row = fresh.includes(file) && rows.get(file.sha256)
    return row
      ? { row }
      : { skipped: skippedAs(file, rows.get(file.sha256)?.id ?? duplicates.get(file.sha256)) }
  })
}

async function identifyOrRefuse(spooled: Spooled): Promise<{ file: IdentifiedFile } | { refused: AppError }> {
  // Its libraries are loaded with the first upload: they are an eighth of what a start would load.
  const { identifyFile } = await import('./identify-file.ts')
  try {
    return { file: await identifyFile(spooled) }
  } catch (error) {
    if (error instanceof AppError) return { refused: error }
    throw error
  }
}

const skippedAs = (file: IdentifiedFile, evidence_id = 0) => ({
  filename: file.filename,
  evidence_id,
  detail: 'Este arquivo já está na OS.',
})

/** Files processed at once by storage and decoder. A failure is thrown only when none is running any more. */
const AT_ONCE = 4
async function mapInBatches<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let from = 0; from < list.length; from += AT_ONCE) {
    const working = list.slice(from, from + AT_ONCE).map(work)
    await Promise.allSettled(working)
    done.push(...(await Promise.all(working)))
  }
  return done
}

interface KeyedFile extends IdentifiedFile {
  key: string
}

/** The new rows by SHA-256. Files that another upload stored meanwhile are added to `duplicates`. */
async function storeAll(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  fresh: readonly IdentifiedFile[],
  { folder, onPersisted }: PersistOptions,
  duplicates: Map<string, number>,
) {
  let left = fresh.map((file): KeyedFile => {
    return { ...file, key: `os/${order_id}/${folder ?? randomUUID()}/original.${FORMATS[file.format].ext}` }
  })
  try {
    await mapInBatches(left, ({ key, path }) => ctx.storage.moveIn(key, path))
    while (left.length > 0) {
      try {
        return await addRows(ctx, order_id, about, left, onPersisted)
      } catch (error) {
        if (violatedIndex(error) !== 'evidence_once') throw error
        const met = await findDuplicates(
          ctx,
          order_id,
          left.map(({ sha256 }) => sha256),
        )
        if (met.size === 0) throw error
        for (const { key, sha256 } of left) if (met.has(sha256)) await ctx.storage.remove(key)
        for (const [sum, id] of met) duplicates.set(sum, id)
        left = left.filter(({ sha256 }) => !met.has(sha256))
      }
    }
    return new Map<string, EvidenceRow>()
  } catch (error) {
    const isRefused = error instanceof AppError
    if (isRefused || !(folder || (await mayBeNamed(ctx, left))))
      for (const { key } of left) await ctx.storage.remove(key)
    throw error
  }
}
/** Whether rows may reference the objects: after a connection that broke at the commit this is unknown. */
const mayBeNamed = (ctx: Ctx, files: readonly KeyedFile[]) =>
  ctx.db
    .selectFrom('evidence_files')
    .where(
      'original_key',
      'in',
      files.map(({ key }) => key),
    )
    .select('id')
    .executeTakeFirst()
    .catch(() => true)

function addRows(
  ctx: Ctx,
  order_id: number,
  about: UploadFields,
  files: readonly KeyedFile[],
  onPersisted: PersistOptions['onPersisted'],
) {
  return inTransaction(ctx, async (ctx) => {
    const order = await lockedOrder(ctx, order_id)
    if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
    const brand = await findBrand(ctx, order.brand_id)
    const evidence_category = (about.category ?? null) as EvidenceRow['evidence_category']
    const places = await freeSequences(ctx, order_id, evidence_category, files.length)
    const rows = await ctx.db
      .insertInto('evidence_files')
      .values(
        files.map((file, index) => ({
          order_id,
          file_type: FORMATS[file.format].type,
          format: file.format,
          evidence_category,
          description: about.description ?? null,
          original_filename: file.filename,
          original_key: file.key,
          file_size: file.size,
          sha256: file.sha256,
          crc32: file.crc32,
          width: file.width,
          height: file.height,
          original_width: file.width,
          original_height: file.height,
          category_seq: places[index] ?? 1,
          uploaded_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
          uploaded_at: ctx.clock(),
        })),
      )
      .returningAll()
      .execute()
    await enqueueAll(
      ctx,
      'preview-evidence',
      rows
        .filter(({ file_type }) => file_type !== 'document')
        .map(({ id }) => ({ key: `preview:${id}`, payload: { evidence_id: id }, priority: -10 })),
    )
    if (brand.auto_convert)
      await enqueue(ctx, 'convert-uploads', { order_id }, { key: `convert-uploads:${order_id}` })
    await recordEvents(
      ctx,
      rows.map(({ id, original_filename: filename, sha256 }) => ({
        subject: 'order',
        subject_id: order_id,
        kind: 'evidence.uploaded',
        changes: { evidence_id: id, filename, sha256, category: evidence_category },
      })),
    )
    for (const { id } of rows) await onPersisted?.(ctx, id)
    await recompute(ctx, order_id, { order, brand })
    return new Map(rows.map((row) => [row.sha256, row]))
  })
}
