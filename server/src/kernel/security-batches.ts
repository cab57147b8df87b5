import type { SecurityKind } from '@garantia/shared/audit/security'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import { sha256 } from './event-hashes.ts'
import { authenticationCode, type EventKey, eventKey } from './event-keys.ts'
import { jsonbText } from './jsonb-text.ts'
import type { Db } from './strict-writes.ts'

/** An entry of the security log, as it is hashed. */
export interface SecurityRow {
  kind: SecurityKind
  /** UTC with microseconds, `2026-11-23T10:00:00.000000Z`. */
  moment: string
  user_id: number | null
  actor_name: string | null
  order_id: number | null
  times: number
  details: unknown
  ip: string | null
  user_agent: string | null
}

/** What the hash of a batch is made of. */
interface HashedBatch {
  n: number
  /** Of its newest entry. */
  moment: string
  row_hashes: readonly string[]
  previous_hash: string
}

export const securityRowHash = (row: SecurityRow) =>
  sha256(
    jsonbText([
      'security/1',
      ...[row.kind, row.moment, row.user_id, row.actor_name, row.order_id, row.times],
      ...[row.details, row.ip, row.user_agent],
    ]),
  )
export const securityBatchHash = ({ n, moment, row_hashes, previous_hash }: HashedBatch) =>
  sha256(jsonbText(['security-batch/1', n, moment, row_hashes, previous_hash]))

/** Binds the numbers that the database gave to the entries. */
export const securityIdsHash = (hash: string, ids: readonly number[]) => sha256(jsonbText([hash, ids]))

/** The authentication code of a batch whose entries were deleted because of their age. */
export const forgottenCode = (key: EventKey, { n, hash }: { n: number; hash: string }) => ({
  mac: authenticationCode(key, jsonbText(['security-forgotten/1', n, hash])),
  mac_key: key.id,
})

/** What stands before the first batch. */
export const SECURITY_START = { n: 0, hash: '0'.repeat(64) } as const

/** Other servers write batches too; each try costs one statement. */
const MOST_TRIES = 20

/**
 * Writes entries as the next batch of the chain, with one statement when this process wrote the one before, else with two.
 * Throws when the database is away, or others were faster each time; then nothing was written.
 */
export function createSecurityBatches(db: Db, config: Config) {
  let head: { n: number; hash: string } = SECURITY_START
  const batchAfter = (entries: readonly SecurityRow[]) => {
    const row_hashes = entries.map(securityRowHash)
    const moment =
      entries
        .map((entry) => entry.moment)
        .sort()
        .at(-1) ?? ''
    const placed = { n: head.n + 1, moment, row_hashes, previous_hash: head.hash }
    const hash = securityBatchHash(placed)
    const key = eventKey(config)
    return { ...placed, hash, mac: authenticationCode(key, hash), mac_key: key.id }
  }
  return async (entries: readonly SecurityRow[]) => {
    const given = entries.map((entry, index) => ({ ...entry, place: index + 1 }))
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const batch = batchAfter(entries)
      const { rows } = await sql<{ found: [number, string] | null }>`
        select append_security_batch(${JSON.stringify({ ...batch, entries: given })}::jsonb) as found`.execute(
        db,
      )
      const found = rows[0]?.found
      head = found ? { n: found[0], hash: found[1] } : { n: batch.n, hash: batch.hash }
      if (!found) return
    }
    throw new Error('The security log was written by others each time')
  }
}
