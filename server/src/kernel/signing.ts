import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signatures are stable within this window, so that a page that polls does not load its pictures again. */
const WINDOW_MS = 30 * 60_000

const macOf = (key: string, text: string) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64url')

/** An HMAC-SHA-256 signature over a subject, valid for 30 to 60 minutes. `key` is hexadecimal. */
export function sign(key: string, subject: string, now: Date) {
  const expires = (Math.floor(now.getTime() / WINDOW_MS) + 2) * WINDOW_MS
  return `${expires.toString(36)}.${macOf(key, `${subject}|${expires}`)}`
}

/** Whether the signature belongs to the subject and has not expired. The comparison takes constant time. */
export function isSigned(key: string, subject: string, signature: string, now: Date) {
  const [expiry = '', mac = ''] = signature.split('.')
  const expires = Number.parseInt(expiry, 36)
  if (!(expires > now.getTime())) return false
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, `${subject}|${expires}`))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
