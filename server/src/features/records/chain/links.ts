import type { EventSubject } from '@garantia/migrations/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { HashedEvent } from '../../../kernel/event-hashes.ts'

/** One chain: the events of an order, a person, a company or a brand. */
export interface ChainId {
  subject: EventSubject
  subject_id: number
}
/** An event with everything that its hashes are computed from. */
export interface Link extends HashedEvent {
  id: number
  at: Date
  format: number
  /** The text of the jsonb: a number in it may have more digits than a double. */
  changes: string
  /** Of each value that was not removed; null in format 1. */
  salts: Record<string, string> | null
  /** Hashes of the values that were removed, by key. */
  commitments: Record<string, string> | null
  hash: string
  id_hash: string | null
  redacted_at: Date | null
  mac: string | null
  mac_key: string | null
  /** The account named as actor is not the one that acted, though that one exists. */
  is_other_actor: boolean
  /** Asked of the first event of a chain of an order only. */
  has_order: boolean | null
}

const PAGE = 2_000

/** The events of the chains in order, 2 000 at a time; the next are read while these are looked at. */
export async function* links(ctx: Ctx, only?: ChainId): AsyncGenerator<Link> {
  let next: Promise<Link[]> | undefined = pageOf(ctx, { subject: 'order', subject_id: 0, seq: 0 }, only)
  while (next) {
    const rows: Link[] = await next
    const last = rows.at(-1)
    next = last && rows.length === PAGE ? pageOf(ctx, last, only) : undefined
    // Its error is thrown when its turn comes; whoever stops before does not wait for it.
    next?.catch(() => undefined)
    yield* rows
  }
}

/**
 * Only what PostgreSQL brings along is called, and hashes are made here: a function of the database could have been
 * replaced. `order` is the first of the subjects.
 */
async function pageOf(ctx: Ctx, after: ChainId & { seq: number }, only: ChainId | undefined) {
  const { rows } = await sql<Link>`
    select id, subject, subject_id, seq, at, kind, format, actor_id, actor_name, ip, user_agent, content_hash,
      previous_hash, hash, id_hash, redacted_at, mac, mac_key, salts, commitments, changes::text as changes,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment,
      format > 1 and actor_user_id is distinct from actor_id
        and (actor_user_id is not null or exists (select from users where users.id = actor_id)) as is_other_actor,
      case when seq = 1 and subject = 'order'
        then exists (select from service_orders where service_orders.id = subject_id) end as has_order
    from events
    where (subject, subject_id, seq) > (${after.subject}::event_subject, ${after.subject_id}::bigint, ${after.seq}::int)
      ${only ? sql`and subject = ${only.subject} and subject_id = ${only.subject_id}` : sql``}
    order by subject, subject_id, seq limit ${PAGE}`.execute(ctx.db)
  return rows
}
