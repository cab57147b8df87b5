import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../kernel/context.ts'
import { signUntil } from '../../../kernel/signing.ts'
import { NONCE_MS, subjectOf } from './capture.ts'
import { assertMayUpload } from './persist-upload.ts'

/** 128 random bits: no two nonces are the same. */
const RANDOM_BYTES = 16

/**
 * Codes for one photo each that the caller takes of this order in the app's own camera. They are signed and not stored:
 * an unused one leaves nothing behind. Refusals as of assertMayUpload.
 */
export async function issueNonces(ctx: Ctx, order_id: number, count: number) {
  await assertMayUpload(ctx, order_id)
  const end = new Date(ctx.clock().getTime() + NONCE_MS)
  const nonces = Array.from({ length: count }, () => {
    const random = randomBytes(RANDOM_BYTES).toString('base64url')
    return `${random}.${signUntil(ctx.config.SIGNING_KEY, subjectOf(order_id, random), ctx.actor, end)}`
  })
  return { nonces, expires_at: end.toISOString() }
}
