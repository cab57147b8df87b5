import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { SECURITY_START, type SecurityRow } from '../../../kernel/security-batches.ts'

/** The newest batch of the security log. */
export interface SecurityHead {
  n: number
  hash: string
}

/** The newest batch of the security log; number 0 and a hash of zeros when there is none. */
export async function securityHead(ctx: Ctx): Promise<SecurityHead> {
  const last = await ctx.db
    .selectFrom('security_batches')
    .select(['n', 'hash'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? SECURITY_START
}

/** A batch as it is stored. */
export interface Batch {
  n: number
  at: Date
  moment: string
  row_hashes: string[]
  previous_hash: string
  hash: string
  ids: number[]
  ids_hash: string
  mac: string | null
  mac_key: string | null
  forgotten_mac: string | null
  forgotten_key: string | null
}
export const batchesAfter = async (ctx: Ctx, n: number, most: number): Promise<Batch[]> => {
  const { rows } = await sql<Batch>`
    select n, at, row_hashes, previous_hash, hash, array_to_json(ids) as ids, ids_hash, mac, mac_key, forgotten_mac,
      forgotten_key, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
    from security_batches where n > ${n} order by n limit ${most}`.execute(ctx.db)
  return rows
}

/** An entry as it is stored, its details as text: a number in it may have more digits than a double. */
export interface Entry extends Omit<SecurityRow, 'details'> {
  id: number
  at: Date
  batch: number
  place: number
  details: string
}
/** The entries of these batches, by place. */
export async function entriesOf(ctx: Ctx, from: number, to: number): Promise<Map<number, Entry[]>> {
  const { rows } = await sql<Entry>`
    select id, at, batch, place, kind, user_id, actor_name, order_id, times, details::text as details, ip, user_agent,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment
    from security_log where batch between ${from} and ${to} order by batch, place`.execute(ctx.db)
  const entries = new Map<number, Entry[]>()
  for (const row of rows) {
    const known = entries.get(row.batch)
    if (known) known.push(row)
    else entries.set(row.batch, [row])
  }
  return entries
}

/** Entries of no batch: written past the application. */
export async function entriesWithoutBatch(ctx: Ctx): Promise<Pick<Entry, 'id' | 'at' | 'batch' | 'place'>[]> {
  const { rows } = await sql<Pick<Entry, 'id' | 'at' | 'batch' | 'place'>>`
    select id, at, batch, place from security_log
    where not exists (select from security_batches where n = batch) order by id limit 1000`.execute(ctx.db)
  return rows
}
