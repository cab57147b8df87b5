import { conflict } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { UploadFields } from '@garantia/shared/evidence/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { guestLinkOf } from '@garantia/shared/policy'
import { type Ctx, enqueue, enqueueAll, inTransaction } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { lockedOrder, recompute } from '../../orders/order/service.ts'
import { notify } from '../../people/notifications/service.ts'
import { refuseTooManyFiles } from './access.ts'
import { type Capture, NO_CAPTURE, unusedCaptures } from './capture.ts'
import type { IdentifiedFile } from './identify-file.ts'
import { type EvidenceRow, readBeforeInsert } from './queries.ts'
import { enqueueReadings } from './reading.ts'

export interface KeyedFile extends IdentifiedFile {
  /** Of the object in the storage. */
  key: string
}

/** What a caller says about the files of one upload, and how one of the app's camera came. */
export interface AboutFiles extends UploadFields {
  capture?: Capture
}

/** The files of one upload, none with the bytes of another. */
export interface Arrived {
  about: AboutFiles
  files: readonly KeyedFile[]
  /** Runs in the transaction that inserts the evidence. */
  onPersisted?: ((ctx: Ctx, evidence_id: number) => Promise<unknown>) | undefined
}

export interface Inserted {
  /** By SHA-256. */
  rows: Map<string, EvidenceRow>
  /** Ids of files of the order with the same bytes, by SHA-256: another upload was faster. */
  duplicates: Map<string, number>
}

type Category = EvidenceRow['evidence_category']

/**
 * Inserts stored files as evidence of their order, with their previews, conversions and events. The order's
 * lock is held until the commit is on the disk, so that uploads to one order would wait for each other: those
 * of one person that arrive meanwhile share the next transaction. 404 or 409 when the order is deleted or
 * closed, 409 also when it would have too many files.
 */
export function insertEvidence(ctx: Ctx, order_id: number, arrived: Arrived): Promise<Inserted> {
  const category = (arrived.about.category ?? null) as Category
  const insert = (list: readonly Arrived[]) =>
    inTransaction(ctx, (ctx) => insertTogether(ctx, order_id, category, list))
  if (ctx.db.isTransaction) return insert([arrived]).then(([one]) => one ?? NONE)
  const link = guestLinkOf(ctx.actor)
  const sender = ctx.actor.kind === 'user' ? `${ctx.actor.id} ${link?.id ?? ''}` : ctx.actor.kind
  return ctx.inBatches(`evidence of ${order_id} by ${sender} in ${category}`, arrived, insert)
}
const NONE: Inserted = { rows: new Map(), duplicates: new Map() }

async function insertTogether(
  ctx: Ctx,
  order_id: number,
  category: Category,
  list: readonly Arrived[],
): Promise<Inserted[]> {
  const order = await lockedOrder(ctx, order_id)
  if (isClosed(order.status)) throw conflict(CLOSED_ORDER)
  const link = guestLinkOf(ctx.actor)
  const all = list.flatMap(({ about, files, onPersisted }) =>
    files.map((file) => ({ about, file, onPersisted })),
  )
  const { duplicates, places, counts, auto_convert } = await readBeforeInsert(ctx, order, {
    category,
    sums: all.map(({ file }) => file.sha256),
  })
  const first = new Map(all.toReversed().map((one) => [one.file.sha256, one.file]))
  const fresh = all.filter(({ file }) => first.get(file.sha256) === file && !duplicates.has(file.sha256))
  const kept = counts.pending + counts.converting + counts.converted + counts.failed
  refuseTooManyFiles(kept + fresh.length)
  const captures = await unusedCaptures(
    ctx,
    // A camera takes photos: another file with a nonce is a file.
    fresh.map(({ about, file }) =>
      about.capture && FORMATS[file.format].type === 'image' ? about.capture : NO_CAPTURE,
    ),
  )
  const rows = fresh.length > 0 ? await insertRows(ctx, order_id, category, fresh, { places, captures }) : []
  const bySum = new Map(rows.map((row) => [row.sha256, row]))
  if (rows.length > 0) {
    await enqueueAll(
      ctx,
      'preview-evidence',
      rows
        .filter(({ file_type }) => file_type !== 'document')
        .map(({ id }) => ({ key: `preview:${id}`, payload: { evidence_id: id }, priority: -10 })),
    )
    await enqueueReadings(ctx, rows)
    if (auto_convert)
      await enqueue(ctx, 'convert-uploads', { order_id }, { key: `convert-uploads:${order_id}` })
    await recordEvents(
      ctx,
      rows.map(({ id, original_filename: filename, sha256, capture_nonce }) => ({
        subject: 'order',
        subject_id: order_id,
        kind: 'evidence.uploaded',
        changes: {
          ...{ evidence_id: id, filename, sha256, category },
          ...(link && { guest_link: link.label }),
          ...(capture_nonce && { app_camera: true }),
        },
      })),
    )
    if (link)
      await notify({ ...ctx, actor: { kind: 'system' } }, [link.made_by, order.responsible_user_id], {
        kind: 'evidence.from_guest',
        order_id,
        text: link.label,
        times: rows.length,
      })
    for (const { file, onPersisted } of fresh) {
      const row = bySum.get(file.sha256)
      if (row) await onPersisted?.(ctx, row.id)
    }
    await recompute(ctx, order_id, {
      order,
      counts: { ...counts, pending: counts.pending + rows.length },
    })
  }
  return list.map(({ files }) => ({
    rows: new Map(
      files.flatMap((file) => {
        const row = first.get(file.sha256) === file && bySum.get(file.sha256)
        return row ? [[file.sha256, row]] : []
      }),
    ),
    duplicates: new Map(
      files.flatMap(({ sha256 }) => {
        const id = duplicates.get(sha256) ?? bySum.get(sha256)?.id
        return id === undefined ? [] : [[sha256, id]]
      }),
    ),
  }))
}

const insertRows = (
  ctx: Ctx,
  order_id: number,
  evidence_category: Category,
  fresh: readonly { about: AboutFiles; file: KeyedFile }[],
  { places, captures }: { places: readonly number[]; captures: readonly Capture[] },
) =>
  ctx.db
    .insertInto('evidence_files')
    .values(
      fresh.map(({ about, file }, index) => ({
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
        guest_link_id: guestLinkOf(ctx.actor)?.id ?? null,
        uploaded_at: ctx.clock(),
        ...(captures[index] ?? NO_CAPTURE),
        captured_at: captures[index]?.app_captured_at ?? null,
      })),
    )
    .returningAll()
    .execute()
