import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Claim,
  claimConversion,
  failConversion,
  finishConversion,
  reserveBudget,
} from '@garantia/server/features/evidence/conversion'
import type { Ctx } from '@garantia/server/kernel'

const NOTHING_KNOWN = { width: null, height: null, duration_seconds: null, pages: null, captured_at: null }

/** Ends an attempt with a result of this size, as a worker would after its tools ran. */
export const finishWith = (ctx: Ctx, claim: Claim, size = 1_000, is_pressed = false) =>
  ctx.scratch.within('convertido', async (dir) => {
    const path = join(dir, 'resultado.jpg')
    await writeFile(path, '')
    await truncate(path, size)
    return finishConversion(ctx, claim, {
      path,
      size,
      sha256: 'ab'.repeat(32),
      crc32: 1,
      format: 'jpeg',
      ext: 'jpg',
      is_pressed,
      ...NOTHING_KNOWN,
    })
  })

export async function claimed(ctx: Ctx, evidence_id: number): Promise<Claim> {
  const claim = await claimConversion(ctx, evidence_id)
  if (!claim) throw new Error(`nothing to convert in ${evidence_id}`)
  return claim
}

/** Bytes the result may take: held since the claim, or asked for now, as a worker does when it begins. */
export const shareOf = async (ctx: Ctx, claim: Claim) => claim.budget_bytes ?? reserveBudget(ctx, claim)

/** A whole conversion whose result fills its share, or has the given size; without a share it fails. */
export async function convertFully(ctx: Ctx, evidence_id: number, size?: number) {
  const claim = await claimed(ctx, evidence_id)
  const bytes = size ?? (await shareOf(ctx, claim))
  return bytes ? finishWith(ctx, claim, bytes) : failConversion(ctx, evidence_id, claim.attempt, 'Não coube.')
}
