import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Config } from './config.ts'

/** A key for the authentication codes of events, by its id, which reveals nothing of it. */
export interface EventKey {
  id: string
  /** An object, since making one of bytes takes seven times as long as a code. */
  key: KeyObject
}
type Keys = Pick<Config, 'SIGNING_KEY' | 'SIGNING_KEY_PREVIOUS' | 'SIGNING_KEY_RETIRED'>

/** Folder of the storage in which stands, outside of the database, how far each chain of events had come. */
export const JOURNAL = 'trilha'

const PURPOSE = 'garantia events'
const derived = new Map<string, EventKey>()

/** Of its own for this purpose (RFC 5869), and made once per process. */
function keyFrom(signing_key: string): EventKey {
  const known = derived.get(signing_key)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(signing_key, 'hex'), '', PURPOSE, 32))
  const made = { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key: createSecretKey(key) }
  derived.set(signing_key, made)
  return made
}

/** The key by which events are authenticated now. It is never in the database, nor in a log. */
export const eventKey = (config: Keys) => keyFrom(config.SIGNING_KEY)

/** All keys by which events of this installation were authenticated, by id. */
export const eventKeys = (config: Keys) =>
  new Map(
    [config.SIGNING_KEY, ...config.SIGNING_KEY_PREVIOUS, ...config.SIGNING_KEY_RETIRED]
      .map(keyFrom)
      .map((one) => [one.id, one]),
  )

/** HMAC-SHA-256 in hexadecimal (RFC 2104). */
export const authenticationCode = ({ key }: EventKey, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')
