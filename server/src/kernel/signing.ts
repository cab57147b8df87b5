import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Actor } from '@garantia/shared/policy'

/** Signatures are stable within this window, so that a page that polls does not load its pictures again. */
const WINDOW_MS = 30 * 60_000

const macOf = (key: string, text: string) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64url')

/** Who asked for an address; 0 is the product itself. */
const idOf = (actor: Actor) => (actor.kind === 'user' ? actor.id : 0)

/**
 * An HMAC-SHA-256 signature over a subject and the person who may use it, valid for 30 to 60 minutes. `key` is
 * hexadecimal.
 */
export function sign(key: string, subject: string, actor: Actor, now: Date) {
  const expires = (Math.floor(now.getTime() / WINDOW_MS) + 2) * WINDOW_MS
  const who = idOf(actor)
  return `${expires.toString(36)}.${who.toString(36)}.${macOf(key, `${subject}|${who}|${expires}`)}`
}

/**
 * The id of the person for whom the subject was signed (0: the product itself); null when the signature is not of
 * this subject or has expired. The comparison takes constant time.
 */
export function signerOf(key: string, subject: string, signature: string, now: Date): number | null {
  const [expiry = '', person = '', mac = ''] = signature.split('.')
  const [expires, who] = [Number.parseInt(expiry, 36), Number.parseInt(person, 36)]
  if (!(expires > now.getTime())) return null
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, `${subject}|${who}|${expires}`))]
  return given.length === expected.length && timingSafeEqual(given, expected) ? who : null
}
