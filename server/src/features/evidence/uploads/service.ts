import {
  AppError,
  conflict,
  invalid,
  notFound,
  storageFull,
  tooLarge,
  tooMany,
} from '@garantia/shared/errors'
import type { UploadResult } from '@garantia/shared/evidence/schema'
import { MAX_OPEN_UPLOADS, UPLOAD_HOURS, type UploadMetadata } from '@garantia/shared/evidence/upload'
import type { Ctx } from '../../../kernel/context.ts'
import type { Hold, Purpose } from '../../../kernel/holds.ts'
import type { StoredEntry } from '../../../kernel/storage/storage.ts'
import {
  mayTakeFiles,
  refuseEmpty,
  refuseOverLimit,
  resultOfOne,
  safeFilename,
  takeFile,
} from '../files/service.ts'
import {
  addUpload,
  countOpen,
  deleteUpload,
  expiredUploads,
  findAnyUpload,
  findUpload,
  knownUploads,
  noteReceived,
  noteTaken,
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
/** Who comes back to a broken upload waits for the old connection to let go of it. */
const PATIENCE_MS = 3_000

/** Opens an upload in pieces. Whatever can be refused before a byte has come is refused here. */
export async function beginUpload(
  ctx: Ctx,
  id: string,
  size: number,
  about: UploadMetadata,
): Promise<UploadRow> {
  await mayTakeFiles(ctx, about.order_id)
  const filename = safeFilename(about.filename ?? '')
  refuseEmpty(size)
  refuseOverLimit(ctx, filename, size)
  const user_id = personIn(ctx)
  if ((await countOpen(ctx, user_id)) >= MAX_OPEN_UPLOADS) throw tooMany(60)
  if ((await ctx.parts.room()) < size) throw storageFull()
  const now = ctx.clock()
  return addUpload(ctx, {
    id,
    order_id: about.order_id,
    user_id,
    filename,
    size,
    category: (about.category ?? null) as UploadRow['category'],
    description: about.description ?? null,
    sha256: about.sha256 ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + UPLOAD_HOURS * HOUR_MS),
  })
}

/** An upload of the caller; of anybody else's they learn nothing. */
export async function ownUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx, id, personIn(ctx))
  if (!upload) throw notFound(MISSING)
  return upload
}

const personIn = ({ actor }: Ctx) => {
  if (actor.kind !== 'user') throw new AppError('unauthenticated', 'Not authenticated')
  return actor.id
}

/** Nobody else writes to this upload until the hold is released. */
export async function holdUpload(
  ctx: Ctx,
  id: string,
  wanted: (by: Purpose) => void,
  purpose: Purpose,
): Promise<Hold> {
  const hold = await ctx.holds.take(`upload/${id}`, wanted, PATIENCE_MS, purpose)
  if (!hold) throw conflict(BUSY)
  return hold
}

/**
 * Bytes that have come. The last one is acknowledged only together with what became of the file: until
 * then a whole part counts as one byte short, so that the caller's next piece brings the verdict.
 */
export async function offsetOf(ctx: Ctx, upload: UploadRow): Promise<number> {
  if (upload.evidence_id !== null) return upload.size
  const held = (await ctx.parts.size(upload.id)) || (await takeBack(ctx, upload))
  return Math.min(held, upload.size - 1)
}

/** A process that died between renaming the file and writing its row has left it in the storage. */
async function takeBack(ctx: Ctx, upload: UploadRow) {
  for await (const { key, size } of ctx.storage.list(folderOf(upload))) {
    await ctx.storage.fetch(key, ctx.parts.path(upload.id))
    await ctx.storage.remove(key)
    return size
  }
  return 0
}
const folderOf = ({ order_id, id }: UploadRow) => `os/${order_id}/${id}`

interface Taken {
  offset: number
  /** Present when this was the last piece. */
  result?: UploadResult
}

/** Writes a piece; the last one makes the file evidence, by the very rules of the multipart upload. */
export async function takePiece(
  ctx: Ctx,
  upload: UploadRow,
  offset: number,
  { chunks, isDisposable }: { chunks: AsyncIterable<Buffer>; isDisposable: boolean },
  hold: Hold,
): Promise<Taken> {
  const mayWrite = () => {
    if (!hold.isHeld()) throw conflict(BUSY)
  }
  const body = atMost(chunks, upload.size - offset)
  try {
    const now = await ctx.parts.append(upload.id, {
      start: offset,
      whole: upload.size,
      body,
      isDisposable,
      mayWrite,
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
    // A refused file will be refused again, and a full disk needs its room back.
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
  await mayTakeFiles(ctx, upload.order_id)
  const digest = await ctx.parts.digest(upload.id)
  if (upload.sha256 !== null && upload.sha256 !== digest.sha256)
    throw invalid(OTHER_BYTES, 'header', 'sha256')
  const kept = await takeFile(
    ctx,
    upload.order_id,
    { category: upload.category, description: upload.description },
    { ...digest, path: ctx.parts.path(upload.id), filename: upload.filename },
    { folder: upload.id, settle: (ctx, evidence_id) => noteTaken(ctx, upload, evidence_id) },
  )
  if ('skipped' in kept) await noteTaken(ctx, upload, kept.skipped.evidence_id)
  await ctx.parts.remove(upload.id)
  return resultOfOne(ctx, kept)
}

/** Ends an upload; what it had become stays evidence. */
export async function dropUpload(ctx: Ctx, upload: UploadRow) {
  await ctx.parts.remove(upload.id)
  if (upload.evidence_id === null) await removeUnnamed(ctx, upload)
  await deleteUpload(ctx, upload.id)
}

async function removeUnnamed(ctx: Ctx, upload: UploadRow) {
  for await (const { key } of ctx.storage.list(folderOf(upload))) await ctx.storage.remove(key)
}

const SWEEP_PAGE = 500

/** Removes uploads whose time is over, and parts that no upload names (their order or person was deleted). */
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
  for (const { key } of await strayParts(ctx)) {
    await ctx.parts.remove(key)
    swept.parts++
  }
  return swept
}

async function dropExpired(ctx: Ctx, id: string) {
  const hold = await ctx.holds.take(`upload/${id}`, () => undefined, 0)
  if (!hold) return false
  try {
    // Its last piece may have come between our look and our hold.
    const upload = await findAnyUpload(ctx, id)
    if (upload) await dropUpload(ctx, upload)
    return upload !== undefined
  } finally {
    await hold.release()
  }
}

/** Parts that no upload names; a part is written only after its row. */
async function strayParts(ctx: Ctx) {
  const parts: StoredEntry[] = []
  for await (const part of ctx.parts.list()) parts.push(part)
  const known = await knownUploads(
    ctx,
    parts.map(({ key }) => key),
  )
  return parts.filter(({ key }) => !known.has(key))
}

const PARTS = 'tmp/uploads/'

/** Parts that the sweep should have removed, and uploads that have lost bytes they had acknowledged. */
export async function faultyParts(ctx: Ctx, settled_ms: number) {
  const strays = await strayParts(ctx)
  const old = strays.filter(({ modified_at }) => ctx.clock().getTime() - modified_at.getTime() > settled_ms)
  const faults = old.map(({ key, size }) => ({
    kind: 'orphan' as 'orphan' | 'missing',
    key: `${PARTS}${key}`,
    order_id: null as number | null,
    size,
  }))
  for (const upload of await unfinishedUploads(ctx)) {
    if (upload.received === 0) continue
    const size = await ctx.parts.size(upload.id)
    if (size < upload.received && !(await hasLeftObject(ctx, upload)))
      faults.push({ kind: 'missing', key: `${PARTS}${upload.id}`, order_id: upload.order_id, size })
  }
  return faults
}

async function hasLeftObject(ctx: Ctx, upload: UploadRow) {
  for await (const _ of ctx.storage.list(folderOf(upload))) return true
  // Its last piece may have come since it was read.
  return (await findAnyUpload(ctx, upload.id))?.evidence_id !== null
}

/** Removes those of these keys that name parts, and says which they were. */
export async function removeParts(ctx: Ctx, keys: readonly string[]) {
  const parts = keys.filter((key) => key.startsWith(PARTS))
  for (const key of parts) await ctx.parts.remove(key.slice(PARTS.length))
  return new Set(parts)
}
