import type { EventSubject } from '@garantia/migrations/schema'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from './context.ts'
import { eventKey, macOf } from './event-keys.ts'
import type { Origin } from './origin.ts'

export interface EventInput {
  subject: EventSubject
  subject_id: number
  /** Dotted lower case, as «opened» or «evidence.uploaded». */
  kind: string
  changes?: Record<string, unknown>
  /** Network address and browser of the caller, for sign-ins and exports. */
  origin?: Origin
}
/**
 * Adds one event to the audit trail, in the caller's transaction: it is written only if the change commits.
 */
export const recordEvent = (ctx: Ctx, change: EventInput) => recordEvents(ctx, [change])

/** Adds several events at once, with the actor and the clock of the context, and seals them. */
export const recordEvents = (ctx: Ctx, changes: readonly EventInput[]) =>
  inTransaction(ctx, async (ctx) => sealEvents(ctx, await insertEvents(ctx, changes)))

/** The trigger `chain_event` gives each its place in the chain and its hash. */
function insertEvents(ctx: Ctx, changes: readonly EventInput[]) {
  const { actor } = ctx
  const at = ctx.clock()
  return ctx.db
    .insertInto('events')
    .values(
      changes.map(({ subject, subject_id, kind, changes, origin }) => ({
        subject,
        subject_id,
        kind,
        actor_user_id: actor.kind === 'user' ? stillThere(ctx, actor.id) : null,
        actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
        changes: JSON.stringify(changes ?? {}),
        at,
        ...origin,
      })),
    )
    .returning(['id', 'hash'])
    .execute()
}

/**
 * The hash covers the event, its place and all before it; without the key, which the database never sees, nobody can
 * write an event or change one unnoticed.
 */
async function sealEvents(ctx: Ctx, events: readonly { id: number; hash: string }[]) {
  const key = eventKey(ctx.config)
  const ids = events.map(({ id }) => id)
  const macs = events.map(({ hash }) => macOf(key, hash))
  await sql`update events set mac = made.mac, mac_key = ${key.id}
    from unnest(${ids}::bigint[], ${macs}::text[]) as made (id, mac) where events.id = made.id`.execute(
    ctx.db,
  )
}

/**
 * The actor's id, read under a key share lock so that the row cannot be deleted before the event is written;
 * null when it was deleted already, then only the name is recorded.
 */
const stillThere = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('users').where('id', '=', id).select('id').forKeyShare()

/**
 * The fields whose value differs, as `[before, after]`; null when none does. Undefined fields of `after` are
 * ignored.
 */
export function differences<T extends object>(before: T, after: Partial<T>): Record<string, unknown> | null {
  const changed = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]]))
}
