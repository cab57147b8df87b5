import { randomBytes } from 'node:crypto'
import type { PasswordChange } from '@garantia/shared/auth/schema'
import { AppError, forbidden, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { MeView, ProfileChange } from '@garantia/shared/users/schema'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { hashPassword, isPassword, refuseWeakPassword } from '../../../kernel/passwords.ts'
import { openSessions } from '../../../kernel/sessions.ts'
import { consumeAttempt, forgetHits } from '../../../kernel/throttle.ts'
import {
  deletePasswordResets,
  lockedUser,
  presentUser,
  revokeAccess,
  USER_COLUMNS,
  writeUser,
} from '../users/service.ts'

/** The signed-in person. 401 for an anonymous caller and for the system. */
export function requireUser(ctx: Ctx) {
  authorize(ctx.actor, 'account.read')
  if (ctx.actor.kind !== 'user') throw new AppError('unauthenticated', 'Not authenticated')
  return ctx.actor
}

/** The caller's own data and scope. 401 when anonymous. */
export async function readMe(ctx: Ctx): Promise<MeView> {
  const { id, scope } = requireUser(ctx)
  const row = await ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select((eb) => [
      ...USER_COLUMNS,
      eb.exists(eb.selectFrom('demonstration').select('is_one')).as('is_demonstration'),
    ])
    .executeTakeFirstOrThrow()
  const { is_demonstration, ...user } = row
  return {
    ...presentUser(user),
    is_demonstration: Boolean(is_demonstration),
    scope: scope === 'all' ? 'all' : [...scope],
  }
}

/**
 * Changes the caller's own name or login. 403 when a token changes the login, or is narrower than «all»; 409 when
 * the login is taken.
 */
export async function changeMe(ctx: Ctx, change: ProfileChange): Promise<MeView> {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, change.email === undefined ? 'account.change' : 'account.secure')
  await inTransaction(ctx, async (ctx) => {
    const before = await lockedUser(ctx, id)
    await writeUser(ctx, before, change)
  })
  return readMe(ctx)
}

/**
 * Changes the caller's password and ends all their other sessions and reset links. 403 with an API token; 400
 * when the current password is wrong or the new one equals it; 429 after LOGIN_LIMIT failures in 15 minutes.
 */
export async function changeMyPassword(
  ctx: Ctx,
  { current_password, new_password }: PasswordChange,
  token: string,
) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  const limit = { bucket: `password|${id}`, hits: ctx.config.LOGIN_LIMIT, window_seconds: 900 }
  await consumeAttempt(ctx, limit)
  const { password_hash, ...owner } = await ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select(['password_hash', 'full_name', 'email'])
    .executeTakeFirstOrThrow()
  if (!(await isPassword(current_password, password_hash))) throw ruleViolation('Senha atual incorreta')
  await forgetHits(ctx, limit.bucket)
  if (current_password === new_password) throw ruleViolation('A nova senha não pode ser igual à atual')
  await refuseWeakPassword(new_password, 'new_password', owner)
  const next = await hashPassword(new_password)
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.updateTable('users').set({ password_hash: next }).where('id', '=', id).execute()
    await deletePasswordResets(ctx, id)
    await openSessions(ctx.db).closeOthersOf(id, token)
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'password.changed' })
  })
  return { message: 'Password updated successfully' }
}

/**
 * Deletes the caller's account by anonymising it: personal data are removed, the id stays in the history
 * (D-40). Ends all access. 403 with an API token and for superusers.
 */
export function leaveAccount(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.leave')
  return inTransaction(ctx, async (ctx) => {
    // Read again under a lock: the caller may have become a superuser since the check, perhaps the last one.
    if ((await lockedUser(ctx, id)).is_superuser) throw forbidden()
    await ctx.db
      .updateTable('users')
      .set({
        full_name: 'Usuário removido',
        // A login that cannot have been taken before.
        email: `removido-${id}-${randomBytes(6).toString('hex')}`,
        cpf: null,
        phone: null,
        is_active: false,
        password_hash: await hashPassword(randomBytes(24).toString('base64url')),
      })
      .where('id', '=', id)
      .execute()
    await revokeAccess(ctx, id)
    await recordEvent(
      { ...ctx, actor: { kind: 'system' } },
      { subject: 'user', subject_id: id, kind: 'left' },
    )
    return { message: 'User deleted successfully' }
  })
}

/** The caller's sessions, newest first; the one of `token` is marked. 403 with an API token. */
export async function listMySessions(ctx: Ctx, token: string) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  const data = await ctx.sessions.listOf(id, token)
  return { data, count: data.length }
}

/** Ends one session of the caller. 403 with an API token; 404 when the caller has no such session. */
export async function closeMySession(ctx: Ctx, id: string) {
  const self = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  if (!(await ctx.sessions.closeOne(self.id, id))) throw notFound('Sessão não encontrada')
  return { message: 'Sessão encerrada' }
}
