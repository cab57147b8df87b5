import { floorOf, isWorthReencoding, planShares, wantOf } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { readMarks } from '@garantia/shared/evidence/marks'
import { isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { recompute, withdrawConversions } from '../../orders/order/service.ts'
import { type EvidenceRow, folderOf, isMeasured } from '../files/service.ts'
import { failConversion, restoreFallbackCopy } from './complete.ts'
import { MAX_ATTEMPTS, queueAgain } from './enqueue.ts'
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
import { unmarkedKey } from './unmarked-copy.ts'

/**
 * `lease_until` is set this far ahead at each report of progress. No code compares it with the clock: a lease
 * is lost when the attempt number rises or the file is no longer converting. Null means that no worker has
 * the file.
 */
const LEASE_MS = 120_000
/** After this long a file that waits for others of its order is looked at again. */
const OTHERS_FINISH_MS = 3_000
const UNREADABLE_MARKS = 'As marcas da foto não puderam ser lidas. Remova-as e marque de novo.'
export const INTERRUPTED = 'Conversão interrompida várias vezes. Tente processar de novo.'

/**
 * Leases a queued file to this worker under a new attempt number. Null when there is nothing to do: the file
 * was deleted or converted, its marks cannot be read, with which it fails, or its order was closed, whose conversions are
 * then withdrawn.
 */
export async function leaseConversion(ctx: Ctx, evidence_id: number): Promise<ConversionLease | null> {
  const leased = await inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, evidence_id)
    if (found?.file.status !== 'converting') return null
    const { file, order } = found
    if (isClosed(order.status)) {
      await withdrawConversions(ctx, order.id)
      await recompute(ctx, order.id)
      return null
    }
    const marks = readMarks(file.marks)
    if (marks === null) {
      await failConversion(ctx, file.id, file.attempt, UNREADABLE_MARKS)
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
    // Read with the rest: one that comes back to the file meanwhile is not a lost attempt's.
    const used = [file.converted_key, await unmarkedKey(ctx, file.id)]
    return { file, used, lease: { ...leaseFor(file, order.id, brand), marks, attempt, budget_bytes } }
  })
  if (!leased) return null
  await dropLostAttempts(ctx, leased.file, leased.used)
  return leased.lease
}

/**
 * The file's share if it gets everything it wants, which other files cannot improve by finishing: it is then
 * final. Null when bytes are scarce, or when the plan would have to estimate.
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
  const floor = own ? floorOf(own) : 0
  return { bytes: 0, admitted: false, ...share, wanted: own ? wantOf(own) : 0, floor }
}

const leaseFor = (
  file: EvidenceRow,
  order_id: number,
  brand: BrandRow,
): Omit<ConversionLease, 'marks' | 'attempt' | 'budget_bytes'> => ({
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

/** Removes objects of earlier attempts that were killed between storing the file and writing its row. */
async function dropLostAttempts(ctx: Ctx, file: EvidenceRow, used: readonly (string | null | undefined)[]) {
  const folder = folderOf(file)
  for (let attempt = Math.max(1, file.attempt - MAX_ATTEMPTS); attempt <= file.attempt; attempt++) {
    const key = convertedKey(folder, attempt)
    if (!used.includes(key)) await ctx.storage.remove(key)
  }
}

/** Other videos of the order whose length the budget plan would have to estimate. */
export async function unmeasuredVideos(ctx: Ctx, { order_id, evidence_id }: ConversionLease) {
  const videos = await findUnmeasured(ctx, order_id, evidence_id)
  return videos.map((video) => ({ ...video, format: video.format as FormatName }))
}

/**
 * The maximum size of the result in bytes: the file's share of what the brand's limit leaves, reserved under
 * the order's lock. Null when the lease is lost, when a re-encode pass would not improve the copy, which then
 * stays, or when others that are being converted have reserved what is left and will not use it: then the file
 * is converted after them.
 */
export function reserveBudget(
  ctx: Ctx,
  { evidence_id, attempt, brand }: ConversionLease,
): Promise<number | null> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockOrderAndFile(ctx, evidence_id)
    if (!found || !hasLease(found.file, attempt)) return null
    const files = await findPlanned(ctx, found.order.id)
    const { bytes, admitted, floor } = shareOf(files, evidence_id, brand)
    const copy = fallbackCopySize(found.file)
    if (copy !== null && !isWorthReencoding(bytes, copy)) {
      await restoreFallbackCopy(ctx, found)
      return null
    }
    if (
      copy === null &&
      (!admitted || bytes < floor) &&
      files.some((file) => file.id !== evidence_id && reservesMoreThanItWants(file))
    ) {
      await queueAgain(ctx, found.file, new Date(ctx.clock().getTime() + OTHERS_FINISH_MS))
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

const reservesMoreThanItWants = (file: PlannedRow) =>
  file.status === 'converting' && (file.budget_bytes ?? 0) > wantOf(packageItem(file))

/**
 * Reports progress in percent (stored as 0–99) and renews the lease. False when the lease is lost: the worker
 * should stop.
 */
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

/** Fails files whose job no longer exists, so that none stays converting for ever. Returns their number. */
export async function failStranded(ctx: Ctx) {
  const stranded = await findStranded(ctx)
  for (const { id, attempt } of stranded) await failConversion(ctx, id, attempt, INTERRUPTED)
  return stranded.length
}
