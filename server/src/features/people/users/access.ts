import type { Ctx } from '../../../kernel/context.ts'

/**
 * What decides whether somebody may enter, locked before anything that belongs to them: sessions, links and
 * factors are made and ended under this lock. Undefined when there is no such person.
 */
export const lockPerson = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select(['email', 'password_hash', 'is_active', 'is_superuser'])
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Ends every session, also one that is about to open, and every API token, the calendar and pending reset links of a
 * person.
 */
export async function revokeAccess(ctx: Ctx, id: number) {
  for (const table of ['sessions', 'directory_sign_ins'] as const)
    await ctx.db.deleteFrom(table).where('user_id', '=', id).execute()
  await revokeTokensOf(ctx, id)
  await deletePasswordResets(ctx, id)
}
/** Ends every API token of a person, and the address of their calendar. */
export async function revokeTokensOf(ctx: Ctx, id: number) {
  for (const table of ['api_tokens', 'calendar_feeds'] as const)
    await ctx.db.deleteFrom(table).where('user_id', '=', id).execute()
}
/** Invalidates the pending reset links of a person. */
export async function deletePasswordResets(ctx: Ctx, id: number) {
  await ctx.db.deleteFrom('password_resets').where('user_id', '=', id).execute()
}
/** Invalidates the links with which former addresses of a person would get the account back. */
export async function deleteLoginUndos(ctx: Ctx, id: number) {
  await ctx.db.deleteFrom('login_undos').where('user_id', '=', id).execute()
}
