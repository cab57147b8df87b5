import type { AccessToken } from '@garantia/shared/auth/schema'
import type { SessionMethod } from '@garantia/shared/auth/second-factor'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { Origin } from '../../../kernel/origin.ts'
import { openSessions } from '../../../kernel/sessions.ts'

/**
 * Opens a session in the caller's transaction, which has locked the person's row and found them active.
 * `confirmed_at`: when they proved who they are, if that was not now.
 */
export async function startSession(
  ctx: Ctx,
  user_id: number,
  method: SessionMethod,
  origin: Origin,
  confirmed_at?: Date,
): Promise<AccessToken> {
  const access_token = await openSessions(ctx.db).open(user_id, origin, method, confirmed_at)
  await ctx.db.updateTable('users').set({ last_login_at: ctx.clock() }).where('id', '=', user_id).execute()
  await recordEvent(ctx, {
    subject: 'user',
    subject_id: user_id,
    kind: 'signed_in',
    origin,
    ...(method !== 'password' && { changes: { method } }),
  })
  return { access_token, token_type: 'bearer' }
}
