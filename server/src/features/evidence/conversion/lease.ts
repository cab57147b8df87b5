import { isWorthReencoding, planShares, wantOf } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { recompute, withdrawConversions } from '../../orders/order/service.ts'
import { type EvidenceRow, folderOf, isMeasured } from '../files/service.ts'
import { failConversion, restoreFallbackCopy } from './complete.ts'
import { MAX_ATTEMPTS } from './enqueue.ts'
import { findPlanned, findStranded, findUnmeasured, type PlannedRow } from './lease-queries.ts'
import {
  type ConversionLease,
  convertedKey,
  fallbackCopySize,
  hasLease,
  type LockedFile,
  lockOrderAndFile,
  packageItem,
} from './leased-file.ts'

/** A worker that has not spoken for this long has lost its claim. */
const LEASE_MS = 120_000
export const INTERRUPTED = 'Conversão interrompida várias vezes. Tente processar de novo.'

/**
 * Takes a queued file for this worker. Null when there is nothing left to do: deleted, already
 * converted, or its order was closed meanwhile.
 */
export async function leaseConversion(ctx: Ctx, evidence_id: number): Promise<ConversionLease | null> {
  const lease = await inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, evidence_id)
    if (found?.file.status !== 'converting') return null
    const { file, order } = found
    if (isClosed(order.status)) {
      await withdrawConversions(ctx, order.id)
      await recompute(ctx, order.id)
      return null
    }
    const brand = await findBrand(ctx, order.brand_id)
    const attempt = file.attempt + 1
    const budget_bytes = await unconstrainedShare(ctx, found, brand)
    const now = ctx.clock()
    await ctx.db
      .updateTable('evidence_files')
      .set({ attempt, started_at: now, lease_until: leaseFrom(now), progress: 0, budget_bytes })
      .where('id', '=', evidence_id)
      .execute()
    return { file, claim: { ...leaseFor(file, order.id, brand), attempt, budget_bytes } }
  })
  if (!lease) return null
  await dropLostAttempts(ctx, lease.file)
  return lease.claim
}

/**
 * The share of a file that gets all it wants, which nothing that is finished meanwhile can make better: asking
 * once is enough. Null where bytes are scarce, or where the plan would have to guess.
 */
async function unconstrainedShare(ctx: Ctx, { file, order }: LockedFile, brand: BrandRow) {
  if (!isMeasured(file) || fallbackCopySize(file) !== null) return null
  const files = await findPlanned(ctx, order.id)
  if (files.some(isUnmeasuredVideo)) return null
  const { bytes, wanted } = shareOf(files, file.id, brand)
  return bytes >= wanted ? bytes : null
}
const isUnmeasuredVideo = ({ file_type, duration_seconds }: PlannedRow) =>
  file_type === 'video' && duration_seconds === null

function shareOf(files: readonly PlannedRow[], leasedFileId: number, { max_file_size_mb }: BrandRow) {
  const items = files.map((file) => packageItem(file, leasedFileId))
  const own = items.find(({ id }) => id === leasedFileId)
  const share = planShares(items, max_file_size_mb).get(leasedFileId)
  return { bytes: 0, admitted: false, ...share, wanted: own ? wantOf(own) : 0 }
}

const leaseFor = (
  file: EvidenceRow,
  order_id: number,
  brand: BrandRow,
): Omit<ConversionLease, 'attempt' | 'budget_bytes'> => ({
  evidence_id: file.id,
  order_id,
  original_key: file.original_key,
  format: file.format as FormatName,
  file_size: file.file_size,
  rotation: file.rotation,
  folder: folderOf(file),
  is_measured: isMeasured(file),
  fallback_bytes: fallbackCopySize(file),
  brand,
})
const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** An attempt that was killed between writing its file and saying so leaves an object nobody names. */
async function dropLostAttempts(ctx: Ctx, file: EvidenceRow) {
  const folder = folderOf(file)
  for (let attempt = Math.max(1, file.attempt - MAX_ATTEMPTS); attempt <= file.attempt; attempt++) {
    const key = convertedKey(folder, attempt)
    if (key !== file.converted_key) await ctx.storage.remove(key)
  }
}

/** Films beside this one whose length the plan would have to guess. */
export async function unmeasuredVideos(ctx: Ctx, { order_id, evidence_id }: ConversionLease) {
  const videos = await findUnmeasured(ctx, order_id, evidence_id)
  return videos.map((video) => ({ ...video, format: video.format as FormatName }))
}

/**
 * Most bytes the result may have: this file's share of what the brand's limit leaves, held under the order's
 * lock. Null when the claim is lost, or when a second round promises nothing: the first copy then stays.
 */
export function reserveBudget(
  ctx: Ctx,
  { evidence_id, attempt, brand }: ConversionLease,
): Promise<number | null> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, evidence_id)
    if (!found || !hasLease(found.file, attempt)) return null
    const { bytes, admitted } = shareOf(await findPlanned(ctx, found.order.id), evidence_id, brand)
    const copy = fallbackCopySize(found.file)
    if (copy !== null && !isWorthReencoding(bytes, copy)) {
      await restoreFallbackCopy(ctx, found)
      return null
    }
    await ctx.db
      .updateTable('evidence_files')
      .set({ budget_bytes: admitted ? bytes : 0 })
      .where('id', '=', evidence_id)
      .execute()
    return bytes
  })
}

/** Progress in whole percent, and a sign of life. False when the claim is lost: the worker may stop. */
export async function reportProgress(ctx: Ctx, { evidence_id, attempt }: ConversionLease, percent: number) {
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

/** Files whose job is gone for good are failed visibly: nothing stays converting for ever. */
export async function failStranded(ctx: Ctx) {
  const stranded = await findStranded(ctx)
  for (const { id, attempt } of stranded) await failConversion(ctx, id, attempt, INTERRUPTED)
  return stranded.length
}
