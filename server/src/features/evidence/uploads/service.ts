import { AppError, conflict, invalid, notFound, tooLarge } from '@garantia/shared/errors'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { UPLOAD_HOURS, type UploadMetadata } from '@garantia/shared/evidence/upload'
import { authorize, guestLinkOf } from '@garantia/shared/policy'
import type { AdvisoryLock, Purpose } from '../../../kernel/advisory-locks.ts'
import type { Ctx } from '../../../kernel/context.ts'
import type { StoredEntry } from '../../../kernel/storage/storage.ts'
import {
  assertMayUpload,
  captureOf,
  limitOfUpload,
  persistFile,
  refuseEmpty,
  refuseOverLimit,
  resultOfOne,
  safeFilename,
} from '../files/service.ts'
import { refuseOverLink } from '../guest-links/service.ts'
import { announce, callerId } from '../quota/service.ts'
import {
  type AnyUpload,
  addUpload,
  deleteUpload,
  expiredUploads,
  findAnyUpload,
  findUpload,
  knownUploads,
  markCompleted,
  noteReceived,
  type UploadRow,
  unfinishedUploads,
} from './queries.ts'

export { limitOfUpload as maxUpload } from '../files/service.ts'
export type { UploadRow } from './queries.ts'

export const MISSING = 'Envio não encontrado ou expirado. Comece de novo.'
const OTHER_BYTES = 'Os bytes recebidos não conferem com o SHA-256 informado. Envie o arquivo de novo.'
export const TOO_LONG = 'O corpo passa do tamanho anunciado do arquivo.'
const BUSY = 'Este envio está em andamento em outra conexão. Tente de novo em instantes.'
const HOUR_MS = 3_600_000
/** How long a client that reconnects waits for its old connection to release the lock. */
const LOCK_TIMEOUT_MS = 3_000

/**
 * Begins a resumable upload, after every check possible without bytes: 404, 403 or 409 as `assertMayUpload`;
 * 422 when empty; 413 over the limit; 429 or 507 as `announce`; by a guest's link also as `refuseOverLink`.
 */
export async function beginUpload(
  ctx: Ctx,
  id: string,
  size: number,
  about: UploadMetadata,
): Promise<UploadRow> {
  const { company_id } = await assertMayUpload(ctx, about.order_id)
  const link = guestLinkOf(ctx.actor)
  const filename = safeFilename(about.filename ?? '')
  refuseEmpty(size)
  refuseOverLimit(filename, size, limitOfUpload(ctx))
  const capture = await captureOf(ctx, about.order_id, about)
  return announce(ctx, { company_id, bytes: size }, async (ctx) => {
    if (link) await refuseOverLink(ctx, { bytes: size, category: about.category ?? null })
    const now = ctx.clock()
    return addUpload(ctx, {
      id,
      order_id: about.order_id,
      user_id: callerId(ctx),
      guest_link_id: link?.id ?? null,
      filename,
      size,
      category: (about.category ?? null) as UploadRow['category'],
      description: about.description ?? null,
      sha256: about.sha256 ?? null,
      ...capture,
      created_at: now,
      expires_at: new Date(now.getTime() + UPLOAD_HOURS * HOUR_MS),
    })
  })
}

/** An upload of the caller. 404 when it is expired, unknown or someone else's. */
export async function ownUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const guest_link_id = guestLinkOf(ctx.actor)?.id ?? null
  const upload = await findUpload(ctx, id, { user_id: callerId(ctx), guest_link_id })
  if (!upload) throw notFound(MISSING)
  return upload
}

/** Locks an upload for writing until the lock is released; 409 when another connection keeps it for 3 s. */
export async function lockUpload(
  ctx: Ctx,
  id: string,
  onContended: (by: Purpose) => void,
  purpose: Purpose,
): Promise<AdvisoryLock> {
  const lock = await ctx.advisoryLocks.acquire(`upload/${id}`, onContended, LOCK_TIMEOUT_MS, purpose)
  if (!lock) throw conflict(BUSY)
  return lock
}

/**
 * The offset in bytes. The last byte is acknowledged only with the outcome of the file: until then a complete
 * file counts as one byte short, so that the client's next piece gets the outcome.
 */
export async function offsetOf(ctx: Ctx, upload: UploadRow): Promise<number> {
  if (upload.evidence_id !== null) return upload.size
  const received = (await ctx.partialFiles.size(upload.id)) || (await recoverFromStorage(ctx, upload))
  return Math.min(received, upload.size - 1)
}

/** A process killed between storing the file and writing its row left it in the storage. */
async function recoverFromStorage(ctx: Ctx, upload: UploadRow) {
  for await (const { key, size } of ctx.storage.list(folderOf(upload))) {
    await ctx.storage.fetch(key, ctx.partialFiles.path(upload.id))
    await ctx.storage.remove(key)
    return size
  }
  return 0
}
const folderOf = ({ order_id, id }: Pick<UploadRow, 'id' | 'order_id'>) => `os/${order_id}/${id}`

interface AppendResult {
  offset: number
  /** Present when this was the last piece. */
  result?: UploadResult
}

/**
 * Appends a piece at `offset`. The last one stores the file by the rules of the multipart upload. 409 when
 * the lock is lost; 413 when the body exceeds the file size. A refused file or a full disk (507) deletes the
 * upload.
 */
export async function takePiece(
  ctx: Ctx,
  upload: UploadRow,
  offset: number,
  { chunks, isDisposable }: { chunks: AsyncIterable<Buffer>; isDisposable: boolean },
  lock: AdvisoryLock,
): Promise<AppendResult> {
  const assertWritable = () => {
    if (!lock.isHeld()) throw conflict(BUSY)
  }
  const body = atMost(chunks, upload.size - offset)
  try {
    const now = await ctx.partialFiles.append(upload.id, {
      start: offset,
      totalSize: upload.size,
      body,
      isDisposable,
      assertWritable,
    })
    if (now < upload.size) {
      if (!(await noteReceived(ctx, upload.id, now))) throw notFound(MISSING)
      return { offset: now }
    }
  } catch (error) {
    if (isDiskFull(error)) await dropUpload(ctx, upload)
    throw error
  }
  try {
    return { offset: upload.size, result: await finish(ctx, upload) }
  } catch (error) {
    // A refused file would be refused again, and a full disk needs its space back.
    if (error instanceof AppError || isDiskFull(error)) await dropUpload(ctx, upload)
    throw error
  }
}

const isDiskFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

async function* atMost(body: AsyncIterable<Buffer>, bytes: number) {
  let rest = bytes
  for await (const chunk of body) {
    rest -= chunk.length
    if (rest < 0) throw tooLarge(TOO_LONG)
    yield chunk
  }
}

async function finish(ctx: Ctx, upload: UploadRow): Promise<UploadResult> {
  await assertMayUpload(ctx, upload.order_id)
  const digest = await ctx.partialFiles.digest(upload.id)
  if (upload.sha256 !== null && upload.sha256 !== digest.sha256)
    throw invalid(OTHER_BYTES, 'header', 'sha256')
  const { capture_nonce, nonce_issued_at, app_captured_at } = upload
  const persisted = await persistFile(
    ctx,
    upload.order_id,
    {
      category: upload.category,
      description: upload.description,
      capture: { capture_nonce, nonce_issued_at, app_captured_at },
    },
    { ...digest, path: ctx.partialFiles.path(upload.id), filename: upload.filename },
    { folder: upload.id, onPersisted: (ctx, evidence_id) => markCompleted(ctx, upload, evidence_id) },
  )
  if ('skipped' in persisted) await markCompleted(ctx, upload, persisted.skipped.evidence_id)
  await ctx.partialFiles.remove(upload.id)
  return resultOfOne(ctx, persisted)
}

/** Ends the caller's upload. 403 with a token that only reads; 404 as `ownUpload`. */
export async function cancelUpload(ctx: Ctx, id: string) {
  authorize(ctx.actor, 'upload.cancel')
  await dropUpload(ctx, await ownUpload(ctx, id))
}

/** Deletes an upload and its bytes; evidence it has become stays. */
async function dropUpload(ctx: Ctx, upload: Pick<AnyUpload, 'id' | 'order_id' | 'evidence_id'>) {
  const { id, order_id, evidence_id } = upload
  await ctx.partialFiles.remove(id)
  if (evidence_id === null && order_id !== null) await removeUnnamed(ctx, { id, order_id })
  await deleteUpload(ctx, id)
}

async function removeUnnamed(ctx: Ctx, upload: Pick<UploadRow, 'id' | 'order_id'>) {
  for await (const { key } of ctx.storage.list(folderOf(upload))) await ctx.storage.remove(key)
}

const SWEEP_PAGE = 500

/**
 * Deletes expired uploads, and partial files without an upload (its order or person was deleted); returns
 * their numbers.
 */
export async function sweepUploads(ctx: Ctx) {
  const swept = { uploads: 0, parts: 0 }
  for (;;) {
    const expired = await expiredUploads(ctx, SWEEP_PAGE)
    const before = swept.uploads
    for (const upload of expired) {
      if (await dropExpired(ctx, upload.id)) swept.uploads++
    }
    if (expired.length < SWEEP_PAGE || swept.uploads === before) break
  }
  for (const { key } of await partsWithoutUpload(ctx)) {
    await ctx.partialFiles.remove(key)
    swept.parts++
  }
  return swept
}

async function dropExpired(ctx: Ctx, id: string) {
  const lock = await ctx.advisoryLocks.acquire(`upload/${id}`, () => undefined, 0)
  if (!lock) return false
  try {
    // Its last piece may have arrived before the lock was acquired.
    const upload = await findAnyUpload(ctx, id)
    if (upload) await dropUpload(ctx, upload)
    return upload !== undefined
  } finally {
    await lock.release()
  }
}

/** Partial files without an upload row; the row is written first. */
async function partsWithoutUpload(ctx: Ctx) {
  const parts: StoredEntry[] = []
  for await (const part of ctx.partialFiles.list()) parts.push(part)
  const known = await knownUploads(
    ctx,
    parts.map(({ key }) => key),
  )
  return parts.filter(({ key }) => !known.has(key))
}

const PARTS = 'tmp/uploads/'

/**
 * Partial files older than the grace period (ms) without an upload, and uploads that lost acknowledged bytes.
 */
export async function faultyParts(ctx: Ctx, grace_period_ms: number) {
  const parts = await partsWithoutUpload(ctx)
  const old = parts.filter(
    ({ modified_at }) => ctx.clock().getTime() - modified_at.getTime() > grace_period_ms,
  )
  const faults = old.map(({ key, size }) => ({
    kind: 'orphan' as 'orphan' | 'missing',
    key: `${PARTS}${key}`,
    order_id: null as number | null,
    size,
  }))
  for (const upload of await unfinishedUploads(ctx)) {
    if (upload.received === 0) continue
    const size = await ctx.partialFiles.size(upload.id)
    if (size < upload.received && !(await hasLeftObject(ctx, upload)))
      faults.push({ kind: 'missing', key: `${PARTS}${upload.id}`, order_id: upload.order_id, size })
  }
  return faults
}

async function hasLeftObject(ctx: Ctx, upload: UploadRow) {
  for await (const _ of ctx.storage.list(folderOf(upload))) return true
  // Its last piece may have arrived since it was read.
  return (await findAnyUpload(ctx, upload.id))?.evidence_id !== null
}

/** Deletes the partial files among these keys, and returns their keys. */
export async function removeParts(ctx: Ctx, keys: readonly string[]) {
  const parts = keys.filter((key) => key.startsWith(PARTS))
  for (const key of parts) await ctx.partialFiles.remove(key.slice(PARTS.length))
  return new Set(parts)
}
