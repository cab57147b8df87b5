import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Actor } from '@garantia/shared/policy'
import type { Ctx } from './context.ts'

/** Signatures are stable within this window, so that a page that polls does not load its pictures again. */
const WINDOW_MS = 30 * 60_000

/** Making a key takes seven times as long as signing with it, and a list of files signs thirty addresses. */
const keys = new Map<string, KeyObject>()
function keyOf(hexadecimal: string) {
  const key = keys.get(hexadecimal) ?? createSecretKey(hexadecimal, 'hex')
  keys.set(hexadecimal, key)
  return key
}

const macOf = (key: string, text: string) => createHmac('sha256', keyOf(key)).update(text).digest('base64url')

/**
 * Who asked for an address, and how often their access had been ended then, which is left out while it is 0. The product
 * itself is 0.
 */
function ownerOf(actor: Actor) {
  if (actor.kind !== 'user') return [0]
  return actor.access_epoch ? [actor.id, actor.access_epoch] : [actor.id]
}

/**
 * An HMAC-SHA-256 signature over a subject and the person who may use it, valid for 30 to 60 minutes. `key` is
 * hexadecimal.
 */
export const sign = (key: string, subject: string, actor: Actor, now: Date) =>
  signUntil(key, subject, actor, new Date((Math.floor(now.getTime() / WINDOW_MS) + 2) * WINDOW_MS))

/** The same with an end that the caller chooses. */
export function signUntil(key: string, subject: string, actor: Actor, end: Date) {
  const expires = end.getTime()
  const owner = ownerOf(actor)
  const mac = macOf(key, `${subject}|${owner.join('-')}|${expires}`)
  return `${expires.toString(36)}.${owner.map((part) => part.toString(36)).join('-')}.${mac}`
}

/**
 * The id of the person for whom the subject was signed (0: the product itself); null when the signature is not of
 * this subject, has expired, or all access of its person was ended since. All but the expired are noted in the security log.
 * Signatures by a former key count as long as the operator names it (SIGNING_KEY_PREVIOUS).
 */
export async function signerOf(ctx: Ctx, subject: string, signature: string): Promise<number | null> {
  const { SIGNING_KEY, SIGNING_KEY_PREVIOUS } = ctx.config
  const [expiry = '', person = '', mac = ''] = signature.split('.')
  const expires = Number.parseInt(expiry, 36)
  const owner = person.split('-').map((part) => Number.parseInt(part, 36))
  const [who = 0, epoch = 0] = owner
  if (expires <= ctx.clock().getTime()) return null
  const isOf = (key: string) => isSame(mac, macOf(key, `${subject}|${owner.join('-')}|${expires}`))
  if (![SIGNING_KEY, ...SIGNING_KEY_PREVIOUS].some(isOf)) {
    ctx.securityLog.note(ctx, { kind: 'refused.signature', details: { reason: 'forged' } })
    return null
  }
  if ((await ctx.activePeople.epochOf(who, epoch)) === epoch) return who
  ctx.securityLog.note(ctx, { kind: 'refused.signature', details: { reason: 'revoked', account_id: who } })
  return null
}

/** In constant time. */
function isSame(given: string, expected: string) {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
