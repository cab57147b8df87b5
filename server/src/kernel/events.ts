import type { EventSubject } from '@garantia/migrations/schema'
import type { Ctx } from './context.ts'
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

/** Adds several events in one statement, with the actor and the clock of the context. */
export async function recordEvents(ctx: Ctx, changes: readonly EventInput[]) {
  const { actor } = ctx
  const at = ctx.clock()
  await ctx.db
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
    .execute()
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
