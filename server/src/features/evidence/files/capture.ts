import { type CaptureFields, NONCE_DAYS } from '@garantia/shared/evidence/capture'
import { guestLinkOf } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { signerOf } from '../../../kernel/signing.ts'
import type { EvidenceRow } from './queries.ts'

export const NONCE_MS = NONCE_DAYS * 86_400_000
/** By how much the clock of a device may differ from the server's. */
const CLOCK_SLACK_MS = 5 * 60_000

/** What a nonce's signature is of. */
export const subjectOf = (order_id: number, random: string) => `capture/${order_id}/${random}`

/** How a photo came from the app's own camera, as columns of its upload and its file. */
export type Capture = Pick<EvidenceRow, 'capture_nonce' | 'nonce_issued_at' | 'app_captured_at'>
export const NO_CAPTURE: Capture = { capture_nonce: null, nonce_issued_at: null, app_captured_at: null }

/**
 * What the fields of an upload prove: nothing unless the nonce was issued to the caller, for this order, and has not
 * expired; the time counts when it is between the nonce's issue and now.
 */
export async function captureOf(
  ctx: Ctx,
  order_id: number,
  { capture_nonce, captured_at }: Partial<CaptureFields>,
): Promise<Capture> {
  if (!capture_nonce || ctx.actor.kind !== 'user' || guestLinkOf(ctx.actor)) return NO_CAPTURE
  const [random = '', expiry = '', ...rest] = capture_nonce.split('.')
  const signer = await signerOf(ctx, subjectOf(order_id, random), [expiry, ...rest].join('.'))
  if (signer !== ctx.actor.id) return NO_CAPTURE
  const issued = Number.parseInt(expiry, 36) - NONCE_MS
  const taken = captured_at ? Date.parse(captured_at) : Number.NaN
  const isWithin = taken >= issued - CLOCK_SLACK_MS && taken <= ctx.clock().getTime() + CLOCK_SLACK_MS
  return {
    // What else stands in it may be written in many ways.
    capture_nonce: random,
    nonce_issued_at: new Date(issued),
    app_captured_at: isWithin ? new Date(taken) : null,
  }
}

/**
 * The captures of files that are inserted together, under their order's lock: a nonce counts for the first file that
 * comes with it.
 */
export async function unusedCaptures(ctx: Ctx, captures: readonly Capture[]): Promise<Capture[]> {
  const nonces = captures.flatMap(({ capture_nonce }) => capture_nonce ?? [])
  if (nonces.length === 0) return [...captures]
  const used = await ctx.db
    .selectFrom('evidence_files')
    .where('capture_nonce', 'in', nonces)
    .select('capture_nonce')
    .execute()
  const taken = new Set(used.map(({ capture_nonce }) => capture_nonce))
  return captures.map((capture) => {
    if (capture.capture_nonce === null || taken.has(capture.capture_nonce)) return NO_CAPTURE
    taken.add(capture.capture_nonce)
    return capture
  })
}
