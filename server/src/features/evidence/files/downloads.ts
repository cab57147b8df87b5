import { conflict, notFound } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import type { Ctx } from '../../../kernel/context.ts'
import { signerOf } from '../../../kernel/signing.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { MISSING, visibleFile } from './access.ts'
import { FILE_VARIANTS, mediaSubject, previewSubject } from './present.ts'
import { type EvidenceRow, findFile } from './queries.ts'

/**
 * The stored object of a download: the converted file or the original. 404 outside the caller's scope; 409
 * when it has expired or is not converted yet.
 */
export async function chooseDownload(ctx: Ctx, id: number, original: boolean): Promise<StoredObject> {
  const { file } = await visibleFile(ctx, id)
  if (file.purged_at) throw conflict(EXPIRED_FILE)
  const object = original ? originalOf(file) : convertedOf(file)
  if (!object) throw conflict('Este arquivo ainda não foi convertido.')
  ctx.securityLog.note(ctx, {
    kind: 'evidence.downloaded',
    order_id: file.order_id,
    details: { evidence_id: id, copy: original ? 'original' : 'converted' },
  })
  return object
}

/**
 * The thumbnail of a signed address; the signature replaces the session. 404 when the signature is wrong or
 * expired, its person was deactivated, or there is no thumbnail.
 */
export async function openPreview(ctx: Ctx, id: number, signature: string) {
  await refuseUnsigned(ctx, previewSubject(id), signature)
  const file = await findFile(ctx, id)
  if (!file?.preview_key) throw notFound(MISSING)
  return ctx.storage.read(file.preview_key)
}

/**
 * The original or converted file of a signed address. 404 when the signature is wrong or expired, its person was
 * deactivated, the file is deleted or expired, or its bytes have been replaced since.
 */
export async function openMedia(ctx: Ctx, id: number, copy: string, signature: string) {
  const known = FILE_VARIANTS.find((one) => one === copy)
  const file = known && (await findFile(ctx, id))
  if (!file) throw notFound(MISSING)
  await refuseUnsigned(ctx, mediaSubject(file, known), signature)
  const object = file.purged_at ? null : known === 'original' ? originalOf(file) : convertedOf(file)
  if (!object) throw notFound(MISSING)
  return object
}

async function refuseUnsigned(ctx: Ctx, subject: string, signature: string) {
  if ((await signerOf(ctx, subject, signature)) === null) throw notFound(MISSING)
}

const originalOf = (file: EvidenceRow): StoredObject => ({
  key: file.original_key,
  filename: file.original_filename,
  mime: mimeOf(file.format),
  size: file.file_size,
  etag: `"${file.sha256}"`,
})

function convertedOf(file: EvidenceRow): StoredObject | null {
  const { converted_key, converted_filename, converted_size, converted_sha256, converted_format } = file
  if (file.status !== 'converted' || !converted_key || !converted_filename || !converted_size) return null
  return {
    key: converted_key,
    filename: converted_filename,
    mime: mimeOf(converted_format ?? ''),
    size: converted_size,
    etag: `"${converted_sha256}"`,
  }
}

const mimeOf = (format: string) =>
  format in FORMATS ? FORMATS[format as keyof typeof FORMATS].mime : 'application/octet-stream'
