import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from './config.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A key of its own for each purpose (RFC 5869), so that what is encrypted for one is read for no other. */
const keyFor = (key: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32))

/**
 * Encrypts a text for the database, so that a change of it is noticed (NIST SP 800-38D); `key` is hexadecimal and not
 * in the database.
 */
export function encrypt(key: string, purpose: string, text: string) {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyFor(key, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

type OwnKeys = Pick<Config, 'SIGNING_KEY' | 'SIGNING_KEY_PREVIOUS'>
/** The text that was encrypted with the key of this installation or a former one; null when that is gone. */
export function decryptOwn(
  { SIGNING_KEY, SIGNING_KEY_PREVIOUS }: OwnKeys,
  purpose: string,
  encrypted: string,
) {
  for (const key of [SIGNING_KEY, ...SIGNING_KEY_PREVIOUS]) {
    const text = decrypt(key, purpose, encrypted)
    if (text !== null) return text
  }
  return null
}

/** The text that was encrypted with this key for this purpose; null when it was not, or was changed since. */
export function decrypt(key: string, purpose: string, encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url')
  const tagEnd = NONCE_BYTES + TAG_BYTES
  if (bytes.length < tagEnd) return null
  const decipher = createDecipheriv(CIPHER, keyFor(key, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
