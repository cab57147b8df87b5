import type { EventSubject } from '@garantia/migrations/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'

/** One chain: the events of an order, a person, a company or a brand. */
export interface ChainId {
  subject: EventSubject
  subject_id: number
}
/** An event with the canonical texts its hashes were computed from. */
export interface Link extends ChainId {
  id: number
  seq: number
  at: Date
  kind: string
  format: number
  /** In format 1 the actor and all changes; null in format 2. */
  content: string | null
  /** In format 2 each value that was not removed, with its key and its salt. */
  values: string[]
  /** Hashes of the values that were removed, by key. */
  commitments: Record<string, string> | null
  link: string
  content_hash: string
  previous_hash: string
  hash: string
  redacted_at: Date | null
  mac: string | null
  mac_key: string | null
  /** Each removed value shows that it was removed. */
  is_tidy: boolean
  /** Number of salts: one for each value that was not removed. */
  salted: number
  /** The account named as actor is not the one that acted, though that one exists. */
  is_other_actor: boolean
  /** Asked of the first event of a chain of an order only. */
  has_order: boolean | null
}

const PAGE = 2_000
const MOMENT = sql.raw(`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)

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
 * All texts are made by what PostgreSQL brings along, and hashed here: a function of the database could have been
 * replaced. `order` is the first of the subjects.
 */
async function pageOf(ctx: Ctx, after: ChainId & { seq: number }, only: ChainId | undefined) {
  const { rows } = await sql<Link>`
    select id, subject, subject_id, seq, at, kind, format, content_hash, previous_hash, hash, redacted_at, mac, mac_key,
      commitments,
      case when format = 1 then jsonb_build_array(actor_name, changes)::text end as content,
      case when format = 1 then '[]' else (
        select coalesce(jsonb_agg(jsonb_build_array(key, value, salts -> key)::text), '[]')
        from jsonb_each(changes) where not jsonb_exists(commitments, key)) end as values,
      case when format = 1
        then jsonb_build_array(subject, subject_id, seq, kind, ${MOMENT}, content_hash, previous_hash)::text
        else jsonb_build_array('event/2', id, subject, subject_id, seq, kind, ${MOMENT},
          actor_id, actor_name, ip, user_agent, content_hash, previous_hash)::text end as link,
      case when format = 1 then num_nulls(actor_id, salts, commitments, mac, mac_key) = 5
        else commitments = '{}' or not exists (select from jsonb_object_keys(commitments) key
          where changes -> key is null or changes -> key not in ('"removido"', '["removido", "removido"]')) end
        as is_tidy,
      case when format = 1 then 0 else (select count(*)::int from jsonb_object_keys(salts)) end as salted,
      format = 2 and actor_user_id is distinct from actor_id
        and (actor_user_id is not null or exists (select from users where users.id = actor_id)) as is_other_actor,
      case when seq = 1 and subject = 'order'
        then exists (select from service_orders where service_orders.id = subject_id) end as has_order
    from events
    where (subject, subject_id, seq) > (${after.subject}::event_subject, ${after.subject_id}::bigint, ${after.seq}::int)
      ${only ? sql`and subject = ${only.subject} and subject_id = ${only.subject_id}` : sql``}
    order by subject, subject_id, seq limit ${PAGE}`.execute(ctx.db)
  return rows
}
