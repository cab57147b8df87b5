import { randomUUID } from 'node:crypto'
import { AppError, conflict } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { inParallel } from '../../../kernel/parallel.ts'
import { visibleOrder } from '../../orders/order/service.ts'
import type { IdentifiedFile } from './identify-file.ts'
import { type AboutFiles, insertEvidence, type KeyedFile } from './insert-evidence.ts'
import { type EvidenceRow, findDuplicates } from './queries.ts'
import type { Spooled } from './spool-upload.ts'

/**
 * Checked before a byte is read; whether the order is closed is checked again under its lock. Returns the
 * order. 404 outside the caller's scope; 403 without permission; 409 when the order is closed.
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
  about: AboutFiles,
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
 * is deleted or closed meanwhile, and 409 when it would have too many files.
 */
export async function persistFiles(
  ctx: Ctx,
  order_id: number,
  about: AboutFiles,
  spooled: readonly Spooled[],
  taking: PersistOptions = {},
): Promise<Outcome[]> {
  const [judged, duplicates] = await Promise.all([
    inParallel(spooled, AT_ONCE, identifyOrRefuse),
    findDuplicates(
      ctx,
      order_id,
      spooled.map(({ sha256 }) => sha256),
    ),
  ])
  const good = judged.flatMap((one) => ('refused' in one ? [] : [one.file]))
  const first = new Map(good.toReversed().map((file) => [file.sha256, file]))
  const fresh = good.filter((file) => first.get(file.sha256) === file && !duplicates.has(file.sha256))
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

/** `identifyFile`, loaded with the first upload: its libraries are an eighth of what a start would load. */
export async function identify(spooled: Spooled): Promise<IdentifiedFile> {
  const { identifyFile } = await import('./identify-file.ts')
  return identifyFile(spooled)
}

async function identifyOrRefuse(spooled: Spooled): Promise<{ file: IdentifiedFile } | { refused: AppError }> {
  try {
    return { file: await identify(spooled) }
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

/** Files processed at once by storage and decoder. */
const AT_ONCE = 4

/** The new rows by SHA-256. Files that another upload stored meanwhile are added to `duplicates`. */
async function storeAll(
  ctx: Ctx,
  order_id: number,
  about: AboutFiles,
  fresh: readonly IdentifiedFile[],
  { folder, onPersisted }: PersistOptions,
  duplicates: Map<string, number>,
) {
  if (fresh.length === 0) return new Map<string, EvidenceRow>()
  const files = fresh.map((file): KeyedFile => {
    return { ...file, key: `os/${order_id}/${folder ?? randomUUID()}/original.${FORMATS[file.format].ext}` }
  })
  try {
    await inParallel(files, AT_ONCE, ({ key, path }) => ctx.storage.moveIn(key, path))
    const added = await insertEvidence(ctx, order_id, { about, files, onPersisted })
    for (const [sum, id] of added.duplicates) duplicates.set(sum, id)
    for (const { key, sha256 } of files) if (!added.rows.has(sha256)) await ctx.storage.remove(key)
    return added.rows
  } catch (error) {
    const isRefused = error instanceof AppError
    if (isRefused || !(folder || (await mayBeNamed(ctx, files))))
      for (const { key } of files) await ctx.storage.remove(key)
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
