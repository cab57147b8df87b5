import { hash } from 'node:crypto'
import type { EventSubject } from '@garantia/migrations/schema'
import { jsonbText } from './jsonb-text.ts'

/** What stands before the first event of a chain. */
export const CHAIN_START = { seq: 0, hash: '0'.repeat(64) } as const

export const sha256 = (text: string) => hash('sha256', text, 'hex')

export const valueHash = (key: string, value: unknown, salt: unknown) =>
  sha256(jsonbText([key, value, salt ?? null]))

/** Of the hashes of all values, in their own order. */
export const contentHash = (value_hashes: readonly string[]) => sha256([...value_hashes].sort().join(''))

/** What the hash of an event is made of, besides its values. */
export interface HashedEvent {
  id?: number
  subject: EventSubject
  subject_id: number
  seq: number
  kind: string
  /** UTC with microseconds, `2026-11-23T10:00:00.000000Z`. */
  moment: string
  actor_id: number | null
  actor_name: string
  ip: string | null
  user_agent: string | null
  content_hash: string
  previous_hash: string
}

/** The text that is hashed. In format 1 content and author stand in `content_hash`; only format 2 has the id. */
export function linkText(format: number, e: HashedEvent) {
  const place = [e.subject, e.subject_id, e.seq, e.kind, e.moment]
  const hashes = [e.content_hash, e.previous_hash]
  const who = [e.actor_id, e.actor_name, e.ip, e.user_agent]
  if (format === 1) return jsonbText([...place, ...hashes])
  if (format === 2) return jsonbText(['event/2', e.id, ...place, ...who, ...hashes])
  return jsonbText(['event/3', ...place, ...who, ...hashes])
}

/** Binds the id, which the database gives, to the event of format 3. */
export const idHash = (id: number, event_hash: string) => sha256(jsonbText([id, event_hash]))
