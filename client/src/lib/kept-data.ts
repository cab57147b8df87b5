import type { DBSchema, IDBPDatabase } from 'idb'
import { ownVersion } from './app-version.ts'
import { browserDatabase } from './browser-database.ts'
import { KEPT_DATA, storedToken } from './session.ts'

interface KeptData extends DBSchema {
  /** The last answers about orders, of one session. */
  answers: {
    key: string
    value: { hash: string; session: string; data: unknown; at: number }
    indexes: { at: number }
  }
  /** Nonces of the app's own camera, each for one photo of an order. */
  nonces: {
    key: string
    value: { nonce: string; session: string; order_id: number; expires_at: string }
    indexes: { order_id: number }
  }
}

const onDatabase = browserDatabase<KeptData>(KEPT_DATA, (database) => {
  database.createObjectStore('answers', { keyPath: 'hash' }).createIndex('at', 'at')
  database.createObjectStore('nonces', { keyPath: 'nonce' }).createIndex('order_id', 'order_id')
})

/**
 * Works on what a phone keeps of orders for the time without network, for the session of whoever is signed in; signing
 * out deletes it. Rejects when nobody is signed in.
 */
export async function onKeptData<Result>(
  work: (database: IDBPDatabase<KeptData>, session: string) => Promise<Result>,
): Promise<Result> {
  const token = storedToken()
  if (token === null) throw new Error('Nobody is signed in')
  const session = await sessionName(token)
  return onDatabase(async (database) => {
    if (storedToken() !== token) throw new Error('Somebody has signed out')
    return work(database, session)
  })
}

/** What is older is of no use on a visit, and need not lie on a phone. */
export const ANSWERS_KEPT_MS = 3 * 24 * 3_600_000
/** The last answer of a query, by its hash; undefined where the device has none of this session. */
export const keptAnswer = (hash: string) =>
  onKeptData(async (database, session) => {
    const found = await database.get('answers', hash)
    return found?.session === session && found.at > Date.now() - ANSWERS_KEPT_MS ? found : undefined
  })

/**
 * Names a session without saying its token: what is kept is shown to nobody else, whatever failed at signing out, nor
 * to another version of the app, which may expect other answers.
 */
async function sessionName(token: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${ownVersion()} ${token}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
