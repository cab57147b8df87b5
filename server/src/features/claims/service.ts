import { type PackageItem, payloadLimit, planShares } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { bytes } from '@garantia/shared/format'
import { isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { type BrandRow, findBrand } from '../brands/service.ts'
import { type EvidenceRow, folderOf, liveFile, liveFiles, nameInPackage } from '../evidence/service.ts'
import { recompute, withdrawConversions } from '../orders/service.ts'
import { findStranded } from './queries.ts'

/** Attempts after which a file that keeps ending its worker is given up. */
export const MAX_ATTEMPTS = 15
/** A worker that has not spoken for this long has lost its claim. */
const LEASE_MS = 120_000
export const INTERRUPTED = 'Conversão interrompida várias vezes. Tente processar de novo.'

/** What a worker needs to convert one file. `attempt` is its claim: only the newest may write a result. */
export interface Claim {
  evidence_id: number
  order_id: number
  attempt: number
  original_key: string
  format: FormatName
  file_size: number
  /** Degrees clockwise a person wants it turned. */
  rotation: number
  folder: string
  brand: BrandRow
}

/**
 * Takes a queued file for this worker. Null when there is nothing left to do: deleted, already
 * converted, or its order was closed meanwhile.
 */
export async function claimConversion(ctx: Ctx, evidence_id: number): Promise<Claim | null> {
  const claim = await inTransaction(ctx, async (ctx) => {
    const found = await lockFile(ctx, evidence_id)
    if (found?.file.status !== 'converting') return null
    const { file, order } = found
    if (isClosed(order.status)) {
      await withdrawConversions(ctx, order.id)
      await recompute(ctx, order.id)
      return null
    }
    const attempt = file.attempt + 1
    const now = ctx.clock()
    await ctx.db
      .updateTable('evidence_files')
      .set({ attempt, started_at: now, lease_until: leaseFrom(now), progress: 0, budget_bytes: null })
      .where('id', '=', evidence_id)
      .execute()
    const brand = await findBrand(ctx, order.brand_id)
    return { file, claim: { ...claimFor(file, order.id, brand), attempt } }
  })
  if (!claim) return null
  await dropLostAttempts(ctx, claim.file)
  return claim.claim
}

const claimFor = (file: EvidenceRow, order_id: number, brand: BrandRow): Omit<Claim, 'attempt'> => ({
  evidence_id: file.id,
  order_id,
  original_key: file.original_key,
  format: file.format as FormatName,
  file_size: file.file_size,
  rotation: file.rotation,
  folder: folderOf(file),
  brand,
})
const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS)
const convertedKey = (folder: string, attempt: number) => `${folder}/converted-${attempt}`

/** An attempt that was killed between writing its file and saying so leaves an object nobody names. */
async function dropLostAttempts(ctx: Ctx, file: EvidenceRow) {
  const folder = folderOf(file)
  for (let attempt = Math.max(1, file.attempt - MAX_ATTEMPTS); attempt <= file.attempt; attempt++) {
    const key = convertedKey(folder, attempt)
    if (key !== file.converted_key) await ctx.storage.remove(key)
  }
}

/** Facts a look into the file brought: a plan with real lengths shares better than one with guesses. */
export interface MediaFacts {
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  captured_at: Date | null
}
/** What the original says of itself; a conversion does not change that. */
export interface OriginalFacts extends MediaFacts {
  camera: string | null
  orientation: number | null
  has_location: boolean | null
}
export async function noteFacts(ctx: Ctx, evidence_id: number, facts: OriginalFacts) {
  await ctx.db
    .updateTable('evidence_files')
    .set({ ...facts, original_width: facts.width, original_height: facts.height })
    .where('id', '=', evidence_id)
    .execute()
}

/** Most bytes the result may have: this file's share of what the brand's limit leaves, held under the order's lock. */
export function reserveBudget(ctx: Ctx, { evidence_id, attempt, brand }: Claim): Promise<number | null> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockFile(ctx, evidence_id)
    if (!found || !holds(found.file, attempt)) return null
    const files = await liveFiles(ctx, found.order.id)
    const shares = planShares(
      files.filter((file) => file.status !== 'failed').map((file) => packageItem(file, evidence_id)),
      brand.max_file_size_mb,
    )
    const { bytes, admitted } = shares.get(evidence_id) ?? { bytes: 0, admitted: false }
    await ctx.db
      .updateTable('evidence_files')
      .set({ budget_bytes: admitted ? bytes : 0 })
      .where('id', '=', evidence_id)
      .execute()
    return bytes
  })
}

const packageItem = (file: EvidenceRow, claimant: number): PackageItem => ({
  id: file.id,
  file_type: file.file_type,
  file_size: file.file_size,
  pixels: file.width && file.height ? file.width * file.height : null,
  duration_seconds: file.duration_seconds,
  pages: file.pages,
  settled_bytes:
    file.status === 'converted' ? file.converted_size : file.id === claimant ? null : file.budget_bytes,
})

const holds = (file: EvidenceRow, attempt: number) => file.status === 'converting' && file.attempt === attempt

/** Progress in whole percent, and a sign of life. False when the claim is lost: the worker may stop. */
export async function reportProgress(ctx: Ctx, { evidence_id, attempt }: Claim, percent: number) {
  const { numUpdatedRows } = await ctx.db
    .updateTable('evidence_files')
    .set({ progress: Math.min(99, Math.max(0, Math.floor(percent))), lease_until: leaseFrom(ctx.clock()) })
    .where('id', '=', evidence_id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'converting')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface ConversionResult extends MediaFacts {
  path: string
  size: number
  sha256: string
  crc32: number
  format: FormatName
  ext: string
}

/** Makes the result the file's converted copy, if this attempt still holds the claim; else drops it. */
export async function finishConversion(ctx: Ctx, claim: Claim, result: ConversionResult): Promise<boolean> {
  const key = convertedKey(claim.folder, claim.attempt)
  await ctx.storage.adopt(key, result.path)
  const replaced = await inTransaction(ctx, async (ctx) => {
    const found = await lockFile(ctx, claim.evidence_id)
    if (!found || isClosed(found.order.status) || !holds(found.file, claim.attempt)) return null
    const { file, order } = found
    if (!(await fits(ctx, claim, file, result.size))) {
      await failConversion(ctx, file.id, claim.attempt, doesNotFit(result.size))
      return null
    }
    const converted_filename = await nameInPackage(ctx, order, file, result.ext)
    await ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'converted',
        progress: 100,
        error: null,
        converted_filename,
        converted_key: key,
        converted_format: result.format,
        converted_size: result.size,
        converted_sha256: result.sha256,
        converted_crc32: result.crc32,
        width: result.width,
        height: result.height,
        duration_seconds: result.duration_seconds,
        pages: result.pages,
        captured_at: result.captured_at,
        finished_at: ctx.clock(),
        lease_until: null,
        budget_bytes: null,
      })
      .where('id', '=', file.id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'evidence.converted',
      changes: {
        evidence_id: file.id,
        filename: converted_filename,
        sha256: result.sha256,
        size: result.size,
      },
    })
    await recompute(ctx, order.id)
    return { before: file.converted_key }
  })
  if (!replaced) await ctx.storage.remove(key)
  else if (replaced.before) await ctx.storage.remove(replaced.before)
  return replaced !== null
}

/**
 * The last word on the brand's limit: a result is taken within the share its file holds, or within what
 * no other file fills or holds.
 */
async function fits(ctx: Ctx, { brand }: Claim, file: EvidenceRow, size: number) {
  if (size <= (file.budget_bytes ?? 0)) return true
  const others = (await liveFiles(ctx, file.order_id)).filter(
    (other) => other.id !== file.id && other.status !== 'failed',
  )
  const taken = others.reduce((sum, other) => sum + (packageItem(other, file.id).settled_bytes ?? 0), 0)
  return taken + size <= payloadLimit(brand.max_file_size_mb, others.length + 1)
}
const doesNotFit = (size: number) =>
  `Convertido, o arquivo tem ${bytes(size)} e não cabe no que resta do pacote: remova-o ou remova outros arquivos.`

/** Records why a file cannot be converted, in the clerk's language; the rest of the queue goes on. */
export function failConversion(ctx: Ctx, evidence_id: number, attempt: number, reason: string) {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockFile(ctx, evidence_id)
    if (!found || !holds(found.file, attempt)) return false
    await ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'failed',
        error: reason,
        finished_at: ctx.clock(),
        lease_until: null,
        budget_bytes: null,
      })
      .where('id', '=', evidence_id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: found.order.id,
      kind: 'evidence.failed',
      changes: { evidence_id, reason },
    })
    await recompute(ctx, found.order.id)
    return true
  })
}

/** Files whose job is gone for good are failed visibly: nothing stays converting for ever. */
export async function failStranded(ctx: Ctx) {
  const stranded = await findStranded(ctx)
  for (const { id, attempt } of stranded) await failConversion(ctx, id, attempt, INTERRUPTED)
  return stranded.length
}

/** The order first, then the file: everyone locks in this order. */
async function lockFile(ctx: Ctx, evidence_id: number) {
  const order = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', (place) =>
      place.selectFrom('evidence_files').where('id', '=', evidence_id).select('order_id'),
    )
    .where('deleted_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  const file = order && (await liveFile(ctx, evidence_id))
  return file ? { order, file } : null
}
