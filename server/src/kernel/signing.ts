import { createHmac, timingSafeEqual } from 'node:crypto'

/** Addresses are stable within this window, so that a page that polls does not load its pictures anew. */
const WINDOW_MS = 30 * 60_000

const macOf = (key: string, text: string) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64url')

/** A short-lived signature over a subject: valid for half an hour to an hour. */
export function sign(key: string, subject: string, now: Date) {
  const expires = (Math.floor(now.getTime() / WINDOW_MS) + 2) * WINDOW_MS
  return `${expires.toString(36)}.${macOf(key, `${subject}|${expires}`)}`
}

export function isSigned(key: string, subject: string, signature: string, now: Date) {
  const [expiry = '', mac = ''] = signature.split('.')
  const expires = Number.parseInt(expiry, 36)
  if (!(expires > now.getTime())) return false
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, `${subject}|${expires}`))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
