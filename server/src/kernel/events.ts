import type { EventSubject } from '@garantia/migrations/schema'
import type { Ctx } from './context.ts'

export interface EventInput {
  subject: EventSubject
  subject_id: number
  /** «opened», «evidence.uploaded»: dotted lower case. */
  kind: string
  changes?: Record<string, unknown>
  /** Where a sign-in came from. */
  origin?: Origin
}
export interface Origin {
  ip: string | null
  user_agent: string | null
}
/** Adds to the trail, in the caller's transaction: what is not committed never happened. */
export const recordEvent = (ctx: Ctx, change: EventInput) => recordEvents(ctx, [change])

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

/** Somebody who is removed while they act leaves only their name; until then nobody can remove them. */
const stillThere = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('users').where('id', '=', id).select('id').forKeyShare()

/** What a change really changed, as [before, after] per field; null when nothing did. */
export function differences<T extends object>(before: T, after: Partial<T>): Record<string, unknown> | null {
  const changed = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]]))
}
