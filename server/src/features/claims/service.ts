import { isWorthSecond, planShares } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { isClosed } from '@garantia/shared/orders/status'
import { type Ctx, inTransaction } from '../../kernel/context.ts'
import { type BrandRow, findBrand } from '../brands/service.ts'
import { type EvidenceRow, folderOf } from '../evidence/service.ts'
import { recompute, withdrawConversions } from '../orders/service.ts'
import {
  type Claim,
  convertedKey,
  holds,
  lockFile,
  type MediaFacts,
  packageItem,
  standingCopy,
} from './held.ts'
import { findPlanned, findStranded, findUnmeasured } from './queries.ts'
import { failConversion, keepStanding } from './settling.ts'
import { MAX_ATTEMPTS } from './waiting.ts'

export type { Claim } from './held.ts'
export { failConversion, finishConversion } from './settling.ts'
export { putInQueue } from './waiting.ts'

/** A worker that has not spoken for this long has lost its claim. */
const LEASE_MS = 120_000
export const INTERRUPTED = 'Conversão interrompida várias vezes. Tente processar de novo.'

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
  copy_bytes: standingCopy(file),
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

/** Films beside this one whose length the plan would have to guess. */
export async function unmeasuredFilms(ctx: Ctx, { order_id, evidence_id }: Claim) {
  const films = await findUnmeasured(ctx, order_id, evidence_id)
  return films.map((film) => ({ ...film, format: film.format as FormatName }))
}

/**
 * Most bytes the result may have: this file's share of what the brand's limit leaves, held under the order's
 * lock. Null when the claim is lost, or when a second round promises nothing: the first copy then stays.
 */
export function reserveBudget(ctx: Ctx, { evidence_id, attempt, brand }: Claim): Promise<number | null> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockFile(ctx, evidence_id)
    if (!found || !holds(found.file, attempt)) return null
    const files = await findPlanned(ctx, found.order.id)
    const shares = planShares(
      files.map((file) => packageItem(file, evidence_id)),
      brand.max_file_size_mb,
    )
    const { bytes, admitted } = shares.get(evidence_id) ?? { bytes: 0, admitted: false }
    const copy = standingCopy(found.file)
    if (copy !== null && !isWorthSecond(bytes, copy)) {
      await keepStanding(ctx, found)
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

/** Files whose job is gone for good are failed visibly: nothing stays converting for ever. */
export async function failStranded(ctx: Ctx) {
  const stranded = await findStranded(ctx)
  for (const { id, attempt } of stranded) await failConversion(ctx, id, attempt, INTERRUPTED)
  return stranded.length
}
