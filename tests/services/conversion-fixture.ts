import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ConversionLease,
  failConversion,
  finishConversion,
  leaseConversion,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import type { Ctx } from '@garantia/server/kernel'

const NOTHING_KNOWN = { width: null, height: null, duration_seconds: null, pages: null, captured_at: null }

/** Finishes an attempt with a result of this size, as a worker does after its tools ran. */
export const finishWith = (ctx: Ctx, lease: ConversionLease, size = 1_000, is_over_compressed = false) =>
  ctx.scratch.within('convertido', async (dir) => {
    const path = join(dir, 'resultado.jpg')
    await writeFile(path, '')
    await truncate(path, size)
    return finishConversion(ctx, lease, {
      path,
      size,
      sha256: 'ab'.repeat(32),
      crc32: 1,
      format: 'jpeg',
      ext: 'jpg',
      is_over_compressed,
      ...NOTHING_KNOWN,
    })
  })

export async function acquireLease(ctx: Ctx, evidence_id: number): Promise<ConversionLease> {
  const lease = await leaseConversion(ctx, evidence_id)
  if (!lease) throw new Error(`nothing to convert in ${evidence_id}`)
  return lease
}

/** Bytes the result may take: reserved with the lease, or requested now, as a worker does when it begins. */
export const shareOf = async (ctx: Ctx, lease: ConversionLease) =>
  lease.budget_bytes ?? reserveBudget(ctx, lease)

/** A whole conversion whose result fills its share, or has the given size; without a share it fails. */
export async function convertFully(ctx: Ctx, evidence_id: number, size?: number) {
  const lease = await acquireLease(ctx, evidence_id)
  const bytes = size ?? (await shareOf(ctx, lease))
  return bytes ? finishWith(ctx, lease, bytes) : failConversion(ctx, evidence_id, lease.attempt, 'Não coube.')
}
