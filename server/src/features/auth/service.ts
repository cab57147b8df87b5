import type { AccessToken, LoginInput } from '@garantia/shared/auth/schema'
import { breaksRule } from '@garantia/shared/errors'
import type { Ctx } from '../../kernel/context.ts'
import { isPassword } from '../../kernel/passwords.ts'

interface Origin {
  ip: string | null
  user_agent: string | null
}

/** Opens a session. A wrong password and an unknown user answer alike, in words and in time. */
export async function signIn(
  ctx: Ctx,
  { username, password }: LoginInput,
  from: Origin,
): Promise<AccessToken> {
  const user = await ctx.db
    .selectFrom('users')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', username.toLowerCase()))
    .select(['id', 'password_hash', 'is_active'])
    .executeTakeFirst()
  if (!(await isPassword(password, user?.password_hash)) || !user)
    throw breaksRule('Incorrect email or password')
  if (!user.is_active) throw breaksRule('Inactive user')
  const access_token = await ctx.sessions.open(user.id, from)
  await ctx.db.updateTable('users').set({ last_login_at: ctx.clock() }).where('id', '=', user.id).execute()
  return { access_token, token_type: 'bearer' }
}

export const signOut = (ctx: Ctx, token: string) => ctx.sessions.close(token)
