import { join } from 'node:path'
import { AppError, textOf } from '@garantia/shared/errors'
import { packageLimit } from '@garantia/shared/evidence/budget'
import {
  type EvidenceDetail,
  type EvidenceList,
  type UploadFields,
  type UploadResult,
  uploadFields,
} from '@garantia/shared/evidence/schema'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { sign } from '../../../kernel/signing.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { missingOrder, visibleOrder } from '../../orders/order/service.ts'
import { type AnnouncedForm, announceForm } from '../quota/service.ts'
import { visibleFile } from './access.ts'
import { assertMayUpload, type PersistedFile, persistFiles } from './persist-upload.ts'
import { presentFile } from './present.ts'
import { filesOf, queuePlaces, stampOf } from './queries.ts'
import { limitOfUpload, refusalOf, type Spooled, safeFilename, spool } from './spool-upload.ts'

export { visibleFile } from './access.ts'
export { captureOf } from './capture.ts'
export { changeEvidence } from './change.ts'
export { changeManyEvidence } from './change-many.ts'
export { chooseDownload, openMedia, openPreview } from './downloads.ts'
export {
  capturedAt,
  folderOf,
  isMeasured,
  type MediaFacts,
  noteFacts,
  type OriginalFacts,
  savePreview,
} from './facts.ts'
export { nameInPackage } from './naming.ts'
export { issueNonces } from './nonces.ts'
export { assertMayUpload, identify, persistFile } from './persist-upload.ts'
export {
  convertedFilesOf,
  type EvidenceRow,
  filesOf as liveFiles,
  findFile as liveFile,
  type PackageRow,
  pagesOf,
} from './queries.ts'
export { enqueueReadings, photoToRead, readingBeside, saveReading } from './reading.ts'
export { removeEvidence, restoreEvidence } from './removal.ts'
export { limitOfUpload, refuseEmpty, refuseOverLimit, safeFilename, spool } from './spool-upload.ts'
export { readChecklist, validateEvidence } from './validate.ts'

/**
 * The files of an order with their positions in the queue, and the size and limit of its package in bytes.
 * 404 outside the caller's scope.
 */
export async function listEvidence(ctx: Ctx, order_id: number): Promise<EvidenceList> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  const [brand, files] = await Promise.all([findBrand(ctx, order.brand_id), filesOf(ctx, order_id)])
  const queued = files.filter((file) => file.status === 'converting' && file.started_at === null)
  const places = await queuePlaces(
    ctx,
    queued.map((file) => file.id),
  )
  return {
    total_files: files.length,
    evidence_files: files.map((file) => presentFile(ctx, file, order, places.get(file.id) ?? null)),
    package_bytes: files.reduce(
      (sum, file) => sum + (file.status === 'converted' ? (file.converted_size ?? 0) : 0),
      0,
    ),
    package_limit_bytes: packageLimit(brand.max_file_size_mb),
  }
}

/**
 * Strings that change whenever the list or the report of an order changes, for entity tags (D-24). A row's
 * `xmin` identifies the transaction that wrote it last, so writers need not maintain a version. While a file
 * is queued the list has none, since its position depends on other orders. 404 outside the caller's scope.
 */
export async function evidenceVersions(ctx: Ctx, order_id: number) {
  const stamp = await stampOf(ctx, order_id)
  if (!stamp) throw await missingOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', stamp)
  const { version, files, queued, brand, vehicle } = stamp
  const report = `${order_id} ${version} ${files}`
  const signing = sign(ctx.config.SIGNING_KEY, 'stamp', ctx.actor, ctx.clock())
  return { report, list: queued ? null : `${report} ${brand} ${vehicle} ${signing}` }
}

/** One file with its metadata and the name of its uploader. 404 outside the caller's scope. */
export async function readEvidence(ctx: Ctx, id: number): Promise<EvidenceDetail> {
  const { file, order } = await visibleFile(ctx, id)
  const link =
    file.guest_link_id === null
      ? undefined
      : await ctx.db
          .selectFrom('guest_links')
          .where('id', '=', file.guest_link_id)
          .select('label')
          .executeTakeFirst()
  const uploader =
    file.uploaded_by === null
      ? undefined
      : await ctx.db
          .selectFrom('users')
          .where('id', '=', file.uploaded_by)
          .select('full_name')
          .executeTakeFirst()
  const place = file.status === 'converting' && file.started_at === null ? await queuePlaces(ctx, [id]) : null
  const { camera, orientation, has_location, original_width, original_height } = file
  return {
    ...presentFile(ctx, file, order, place?.get(id) ?? null),
    uploaded_by_name: uploader?.full_name ?? null,
    guest_link: link?.label ?? null,
    captured_at: file.captured_at?.toISOString() ?? null,
    app_capture: file.nonce_issued_at && {
      nonce_issued_at: file.nonce_issued_at.toISOString(),
      captured_at: file.app_captured_at?.toISOString() ?? null,
    },
    camera,
    orientation,
    has_location,
    keeps_location: (await findBrand(ctx, order.brand_id)).keep_gps,
    original_width,
    original_height,
    converted_sha256: file.status === 'converted' ? file.converted_sha256 : null,
  }
}

/**
 * Stores the files of a multipart upload. Each is judged separately: the result lists stored files, refused
 * ones with reasons, and skipped byte-identical ones. 404 outside the caller's scope; 403 without permission;
 * 409 when the order is closed; 422 without a file; 429 or 507 as `announce`, for the `length` of the request
 * (null when unknown); when no file was accepted, the error of `refusalOf`.
 */
export async function receiveEvidence(
  ctx: Ctx,
  order_id: number,
  query: { category?: string | undefined; description?: string | undefined },
  parts: AsyncIterable<UploadPart>,
  length: number | null = null,
): Promise<UploadResult> {
  const form = await announceForm(ctx, await assertMayUpload(ctx, order_id), length)
  try {
    return await receiveForm(ctx, order_id, query, parts, form)
  } finally {
    await form.end()
  }
}

function receiveForm(
  ctx: Ctx,
  order_id: number,
  query: Parameters<typeof receiveEvidence>[2],
  parts: AsyncIterable<UploadPart>,
  { arrived }: AnnouncedForm,
): Promise<UploadResult> {
  return ctx.scratch.within('upload', async (dir) => {
    const fields: Record<string, string> = {}
    const refused: { index: number; filename: string; error: AppError }[] = []
    const spooled: { index: number; file: Spooled }[] = []
    let index = 0
    const limit = limitOfUpload(ctx)
    for await (const part of parts) {
      if (part.kind === 'field') fields[part.name] = part.value
      else {
        const filename = safeFilename(part.filename)
        const place = index++
        await spool(join(dir, String(place)), filename, part, { limit, arrived })
          .then((file) => spooled.push({ index: place, file }))
          .catch((error: unknown) => refused.push({ index: place, filename, error: asRefusal(error) }))
      }
    }
    if (index === 0)
      throw new AppError('invalid', [
        { loc: ['body', 'files'], msg: 'Envie ao menos um arquivo', type: 'missing' },
      ])
    const about = readFields({ ...query, ...fields })
    const result: UploadResult = { message: '', uploaded: [], skipped: [], errors: [], total_files: 0 }
    const outcomes = await persistFiles(
      ctx,
      order_id,
      about,
      spooled.map(({ file }) => file),
    )
    for (const [place, { index, file }] of spooled.entries()) {
      const outcome = outcomes[place]
      if (!outcome) continue
      if ('row' in outcome) result.uploaded.push(presentFile(ctx, outcome.row, null))
      else if ('skipped' in outcome) result.skipped.push(outcome.skipped)
      else refused.push({ index, filename: file.filename, error: outcome.refused })
    }
    if (result.uploaded.length + result.skipped.length === 0) throw refusalOf(refused)
    result.errors = refused
      .sort((a, b) => a.index - b.index)
      .map(({ filename, error }) => ({ filename, detail: textOf(error.detail), code: error.code }))
    result.total_files = result.uploaded.length
    result.message = UPLOADED
    return result
  })
}

const UPLOADED = 'Evidências enviadas com sucesso'

/** The result of an upload of one file, in the same form. */
export function resultOfOne(ctx: Ctx, persisted: PersistedFile): UploadResult {
  const uploaded = 'row' in persisted ? [presentFile(ctx, persisted.row, null)] : []
  const skipped = 'skipped' in persisted ? [persisted.skipped] : []
  return { message: UPLOADED, uploaded, skipped, errors: [], total_files: uploaded.length }
}

/** A refused file does not end the others; an unexpected error does. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

function readFields(given: Record<string, string | undefined>): UploadFields {
  const read = uploadFields.safeParse({ category: given.category, description: given.description })
  if (read.success) return read.data
  throw new AppError(
    'invalid',
    read.error.issues.map(({ path, message }) => ({
      loc: path.map(String),
      msg: message,
      type: 'value_error',
    })),
  )
}
