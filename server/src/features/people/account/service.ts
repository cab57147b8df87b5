import { randomBytes } from 'node:crypto'
import { type ConfirmInput, isEmail, type PasswordChange } from '@garantia/shared/auth/schema'
import { forbidden, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize, type Person } from '@garantia/shared/policy'
import type { MeView, ProfileChange } from '@garantia/shared/users/schema'
import { requireUser } from '../../../kernel/caller.ts'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import {
  hashPassword,
  isPassword,
  personKey,
  refuseWeakPassword,
  unusablePassword,
} from '../../../kernel/passwords.ts'
import { PERSON_COLUMNS, type PersonRow, rowOf } from '../../../kernel/person.ts'
import { openSessions } from '../../../kernel/sessions.ts'
import { consumeAttempt, forgetHits } from '../../../kernel/throttle.ts'
import { requireLocalSignIn } from '../auth/service.ts'
import { notifyPerson } from '../mail/service.ts'
import { listPasskeys } from '../passkeys/service.ts'
import { checkCode, readTotp } from '../second-factor/service.ts'
import {
  closeAccount,
  lockedUser,
  lockPerson,
  presentUser,
  revokeAccess,
  writeUser,
} from '../users/service.ts'
import { offerLoginUndo } from './login-undo.ts'

export { sweepLoginUndos, undoLoginChange } from './login-undo.ts'

const WRONG_PASSWORD = 'Senha atual incorreta'

/** The caller's own data and scope, as read with their session. 401 when anonymous. */
export async function readMe(ctx: Ctx): Promise<MeView> {
  const me = requireUser(ctx)
  return presentMe(me, rowOf(me) ?? (await readRow(ctx, me.id)))
}

const readRow = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('users').where('id', '=', id).select(PERSON_COLUMNS).executeTakeFirstOrThrow()

function presentMe({ scope, must_add_factor }: Person, { company_ids: _, ...row }: PersonRow): MeView {
  const { is_demonstration, access_epoch: __, ...user } = row
  return {
    ...presentUser(user),
    is_demonstration,
    must_add_factor: must_add_factor === true,
    scope: scope === 'all' ? 'all' : [...scope],
  }
}

/**
 * Changes the caller's own name or login. A new login ends all other sessions, and the former address is told
 * how to undo it. 403 when a token changes the login, or is narrower than «all», for a login without a recent
 * sign-in, and for an email address where a directory signs in; 409 when the login is taken.
 */
export async function changeMe(ctx: Ctx, change: ProfileChange, token: string): Promise<MeView> {
  const me = requireUser(ctx)
  const { id } = me
  authorize(ctx.actor, 'account.change')
  await inTransaction(ctx, async (ctx) => {
    const before = await lockedUser(ctx, id)
    const isNewLogin = change.email !== undefined && change.email !== before.email
    if (isNewLogin) {
      authorize(ctx.actor, 'account.recredential')
      requireOwnLogin(ctx, before, change.email)
    }
    const after = await writeUser(ctx, before, change)
    if (!isNewLogin) return
    await openSessions(ctx.db).closeOthersOf(id, token)
    if (isEmail(before.email)) await offerLoginUndo(ctx, before, after.email)
  })
  return presentMe(me, await readRow(ctx, id))
}

/**
 * The directory links people by their address, so nobody may wait for somebody else with theirs. A superuser
 * may name anybody's login.
 */
function requireOwnLogin({ config }: Ctx, { is_superuser }: { is_superuser: boolean }, login = '') {
  if (config.OIDC_ISSUER && !is_superuser && isEmail(login))
    throw forbidden(`O email de login é o da ${config.OIDC_NAME}. Fale com um administrador para trocá-lo.`)
}

/**
 * Changes the caller's password and ends all their access but this session; API tokens, calendar and links for photos
 * stay when `revoke_tokens` is false. 403 with an API token; 400 when the current password is wrong or the new one equals it; 429 after LOGIN_LIMIT failures in 15 minutes.
 */
export async function changeMyPassword(
  ctx: Ctx,
  { current_password, new_password, revoke_tokens = true }: PasswordChange,
  token: string,
) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  const { password_hash, ...owner } = await provePassword(ctx, id, current_password)
  if (current_password === new_password) throw ruleViolation('A nova senha não pode ser igual à atual')
  await refuseWeakPassword(new_password, 'new_password', owner)
  const next = await hashPassword(new_password, personKey(id))
  await inTransaction(ctx, async (ctx) => {
    // What a reset or an administrator has written since stays.
    if ((await lockPerson(ctx, id))?.password_hash !== password_hash) throw ruleViolation(WRONG_PASSWORD)
    await ctx.db.updateTable('users').set({ password_hash: next }).where('id', '=', id).execute()
    await revokeAccess(ctx, id, { isOwn: true, keepsStanding: !revoke_tokens, except: token })
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'password.changed' })
    await notifyPerson(ctx, id, 'A senha da sua conta foi trocada.')
  })
  return { message: 'Password updated successfully' }
}

/**
 * The caller's row when the password is theirs. 400 when it is wrong; 429 after LOGIN_LIMIT wrong ones in 15 minutes.
 */
async function provePassword(ctx: Ctx, id: number, password: string) {
  const limit = { bucket: `password|${id}`, hits: ctx.config.LOGIN_LIMIT, window_seconds: 900 }
  await consumeAttempt(ctx, limit)
  const owner = await ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select(['password_hash', 'full_name', 'email', 'is_superuser'])
    .executeTakeFirstOrThrow()
  if (!(await isPassword(password, owner.password_hash, personKey(id)))) throw ruleViolation(WRONG_PASSWORD)
  await forgetHits(ctx, limit.bucket)
  return owner
}

/**
 * Proves again who uses this session, with the password and the code of an account that has one; for ten minutes
 * the calls that open or close accounts are allowed. 400 when either is wrong; 403 with an API token.
 */
export async function confirmSelf(ctx: Ctx, { password, code }: ConfirmInput, token: string) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  requireLocalSignIn(ctx, await provePassword(ctx, id, password))
  await checkCode(ctx, id, code)
  await ctx.sessions.confirm(token)
  return { message: 'Identidade confirmada' }
}

/** What opens the caller's account besides the password. 403 with an API token. */
export async function readFactors(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  const [totp, passkeys] = await Promise.all([readTotp(ctx, id), listPasskeys(ctx, id)])
  return { totp, passkeys }
}

/**
 * Deletes the caller's account by anonymising it: personal data are removed, the id stays in the history
 * (D-40). Ends all access. 403 with an API token, for superusers and without a recent sign-in.
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
        password_hash: await unusablePassword(personKey(id)),
      })
      .where('id', '=', id)
      .execute()
    await closeAccount(ctx, id)
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

/**
 * Ends all access of the caller, this session included; API tokens, calendar and links for photos stay when
 * `revoke_tokens` is false. 403 with an API token.
 */
export function closeMyAccess(ctx: Ctx, { revoke_tokens }: { revoke_tokens: boolean }) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  return inTransaction(ctx, async (ctx) => {
    await revokeAccess(ctx, id, { isOwn: true, keepsStanding: !revoke_tokens })
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'sessions.ended' })
    return { message: 'Sessões encerradas' }
  })
}
