import type { EventSubject } from '@garantia/migrations/schema'
import type { Ctx } from './context.ts'

export interface Change {
  subject: EventSubject
  subject_id: number
  /** «opened», «evidence.uploaded»: dotted lower case. */
  kind: string
  changes?: Record<string, unknown>
}
/** Adds to the trail, in the caller's transaction: what is not committed never happened. */
export async function recordEvent(ctx: Ctx, { subject, subject_id, kind, changes }: Change) {
  const { actor } = ctx
  await ctx.db
    .insertInto('events')
    .values({
      subject,
      subject_id,
      kind,
      actor_user_id: actor.kind === 'user' ? actor.id : null,
      actor_name: actor.kind === 'user' ? actor.name : 'Sistema',
      changes: JSON.stringify(changes ?? {}),
    })
    .execute()
}
