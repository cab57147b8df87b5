import { createHash, randomBytes } from 'node:crypto'
import {
  type AccessToken,
  isEmail,
  type LoginInput,
  type ResetInput,
  type SignUpInput,
} from '@garantia/shared/auth/schema'
import { conflict, forbidden, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { UserView } from '@garantia/shared/users/schema'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { createFairQueue } from '../../../kernel/fair-queue.ts'
import { networkOf, type Origin } from '../../../kernel/origin.ts'
import { hashPassword, isPassword, personKey, refuseWeakPassword } from '../../../kernel/passwords.ts'
import { USER_COLUMNS } from '../../../kernel/person.ts'
import { consumeAttempt, forgetHits, type Limit, takeBackHit, throttle } from '../../../kernel/throttle.ts'
import { enqueueEmail, LINK_HOURS, notifyPerson } from '../mail/service.ts'
import { checkCode } from '../second-factor/service.ts'
import { lockPerson, presentUser, revokeAccess } from '../users/service.ts'
import { recoveryEmail } from './recovery-email.ts'
import { startSession } from './start-session.ts'
import { requireLocalSignIn } from './ways.ts'

export { startSession } from './start-session.ts'
export { requireLocalSignIn, signInWays } from './ways.ts'

const QUARTER_HOUR = 900
/** Of a dealership's network, how many accounts may be at their limit of failures before all of it is. */
const ACCOUNTS_PER_NETWORK = 5
const HOUR = 3600

/**
 * Opens a session and returns its token. A wrong password and an unknown user get the same answer in the same
 * time. 400 for both and for an inactive person (never 401, at which the client ends the session, D-03); 429
 * after LOGIN_LIMIT failures in 15 minutes, after five times as many of one network over all accounts, and when
 * too many of one network wait for their answer. 400 also when the person's code is missing or wrong, 403 when only
 * the directory signs this person in. Successes, and failures of existing people, are recorded in the audit trail.
 */
export const signIn = (ctx: Ctx, input: LoginInput, origin: Origin): Promise<AccessToken> =>
  runInTurn(
    networkOf(origin.ip),
    () => checkAndOpen(ctx, input, origin),
    () => true,
  )

/**
 * A sign-in is several small writes besides its hash: many of them, all begun at once, kept one from
 * elsewhere waiting for seconds.
 */
const runInTurn = createFairQueue({ at_once: 4, most_waiting_per_caller: 20, most_waiting: 1_000 })

async function checkAndOpen(
  ctx: Ctx,
  { username, password, code }: LoginInput,
  origin: Origin,
): Promise<AccessToken> {
  const network = networkOf(origin.ip)
  const overall = networkLimit(ctx, network)
  // First: the limit of an account is a row for every name that somebody invents.
  await throttle(ctx, overall)
  const limit = loginLimit(ctx, username, network)
  try {
    await consumeAttempt(ctx, limit)
  } catch (error) {
    // Who goes on with an account that is blocked must not block those beside him.
    await takeBackHit(ctx, overall.bucket)
    throw error
  }
  const user = await ctx.db
    .selectFrom('users')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', username.toLowerCase()))
    .select(['id', 'full_name', 'password_hash', 'is_active', 'is_superuser'])
    .executeTakeFirst()
  const matches = await isPassword(password, user?.password_hash, network)
  if (!matches || !user) {
    if (user) await recordEvent(ctx, { subject: 'user', subject_id: user.id, kind: 'sign_in.failed', origin })
    // A name that is nobody's may be a password in the wrong field.
    const account = user && { account_id: user.id, account: user.full_name }
    ctx.securityLog.note(ctx, { kind: 'refused.sign_in', details: { ...account } })
    throw ruleViolation('Incorrect email or password')
  }
  await takeBackHit(ctx, overall.bucket)
  if (!user.is_active) throw ruleViolation('Inactive user')
  requireLocalSignIn(ctx, user)
  const method = (await checkCode(ctx, user.id, code)) ? 'code' : 'password'
  await forgetHits(ctx, limit.bucket)
  return inTransaction(ctx, async (ctx) => {
    // Under the lock of the row: who changes the password ends all sessions, also one that opens just now.
    const now = await lockPerson(ctx, user.id)
    if (now?.password_hash !== user.password_hash) throw ruleViolation('Incorrect email or password')
    return startSession(ctx, user.id, method, origin)
  })
}

/** Per account and network, so that an attacker elsewhere cannot lock the owner out. */
const loginLimit = (ctx: Ctx, username: string, network: string): Limit => ({
  bucket: `login|${createHash('sha256').update(username.toLowerCase()).digest('base64url')}|${network}`,
  hits: ctx.config.LOGIN_LIMIT,
  window_seconds: QUARTER_HOUR,
})
/** Over all accounts: one password tried on each of them stays under the limit of each. */
const networkLimit = (ctx: Ctx, network: string): Limit => ({
  bucket: `login-network|${network}`,
  hits: ctx.config.LOGIN_LIMIT * ACCOUNTS_PER_NETWORK,
  window_seconds: QUARTER_HOUR,
})

/** Ends the session of this token; does nothing when it is unknown or an API token. */
export async function signOut(ctx: Ctx, token: string) {
  await ctx.sessions.close(token)
  return { message: 'Sessão encerrada' }
}

/**
 * Creates an account: a technician without company, who sees nothing until an administrator assigns one
 * (D-34); inactive until approved unless SIGNUP_MODE is open. 403 when sign-up is off; 409 when the email is
 * taken; 429 after SIGNUP_LIMIT calls of one network in an hour.
 */
export async function signUp(ctx: Ctx, input: SignUpInput, { ip }: Origin): Promise<UserView> {
  const mode = ctx.config.SIGNUP_MODE
  if (mode === 'off' || ctx.config.LOCAL_SIGN_IN === 'superuser')
    throw forbidden('O cadastro está desativado. Fale com um administrador.')
  await throttle(ctx, {
    bucket: `signup|${networkOf(ip)}`,
    hits: ctx.config.SIGNUP_LIMIT,
    window_seconds: HOUR,
  })
  await refuseWeakPassword(input.password, 'password', input)
  const password_hash = await hashPassword(input.password, networkOf(ip))
  return inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .insertInto('users')
      .values({ email: input.email, full_name: input.full_name, password_hash, is_active: mode === 'open' })
      .returning(USER_COLUMNS)
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (violatedIndex(error) === 'users_login') throw conflict('Já existe um usuário com este email.')
        throw error
      })
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: row.id,
      kind: 'signed_up',
      changes: { email: row.email },
    })
    return presentUser(row)
  })
}

const UNKNOWN_EMAIL = 'Not Found'
const MAILED = { message: 'Password recovery email sent' }

/**
 * Sends a link with which the password can be changed once, within two hours. 404 when no active person has
 * this email, unless AUTH_HIDE_UNKNOWN_EMAIL is set; 429 after RECOVERY_LIMIT calls in 15 minutes, per
 * network and per email.
 */
export async function recoverPassword(ctx: Ctx, email: string, { ip }: Origin) {
  const hits = ctx.config.RECOVERY_LIMIT
  await throttle(ctx, { bucket: `recovery|${networkOf(ip)}`, hits, window_seconds: QUARTER_HOUR })
  await throttle(ctx, {
    bucket: `recovery|${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`,
    hits,
    window_seconds: QUARTER_HOUR,
  })
  const user = await findMailableUser(ctx, email)
  if (!user) {
    if (ctx.config.AUTH_HIDE_UNKNOWN_EMAIL) return MAILED
    throw notFound(UNKNOWN_EMAIL)
  }
  await inTransaction(ctx, async (ctx) => enqueueEmail(ctx, await writeRecovery(ctx, user)))
  return MAILED
}

/**
 * The recovery email for a superuser to read, when there is no mail server; creates a new link. 403 unless
 * superuser with a recent sign-in; 404 when no active person has this email.
 */
export async function readRecoveryEmail(ctx: Ctx, email: string) {
  authorize(ctx.actor, 'mail.open')
  const user = await findMailableUser(ctx, email)
  if (!user) throw notFound(UNKNOWN_EMAIL)
  return inTransaction(ctx, (ctx) => writeRecovery(ctx, user))
}

/** The active person with this email; null when there is none or the login is not an email address (D-35). */
async function findMailableUser(ctx: Ctx, email: string) {
  const user = await ctx.db
    .selectFrom('users')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('is_active', '=', true)
    .select(['id', 'email', 'full_name'])
    .executeTakeFirst()
  return user && isEmail(user.email) ? user : null
}

async function writeRecovery(ctx: Ctx, user: { id: number; email: string; full_name: string }) {
  const token = await openPasswordReset(ctx, user.id)
  await recordEvent(ctx, { subject: 'user', subject_id: user.id, kind: 'recovery.requested' })
  return recoveryEmail(user.email, user.full_name, `${ctx.config.app_url}/reset-password?token=${token}`)
}

/** A token with which a person's password can be changed once, within two hours. */
export async function openPasswordReset(ctx: Ctx, user_id: number) {
  const token = randomBytes(32).toString('base64url')
  await ctx.db
    .insertInto('password_resets')
    .values({
      token_hash: hashOf(token),
      user_id,
      expires_at: new Date(ctx.clock().getTime() + LINK_HOURS * HOUR * 1000),
    })
    .execute()
  return token
}
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const INVALID_TOKEN = 'Invalid token'
/**
 * Sets a new password with a reset token, which is deleted. Ends all access of
 * the person. 400 when the token is unknown, expired or used, or the person inactive.
 */
export async function resetPassword(ctx: Ctx, { token, new_password }: ResetInput) {
  // Hashing is costly, so a made-up token must not reach it.
  const known = await ctx.db
    .selectFrom('password_resets')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', ctx.clock())
    .innerJoin('users', 'users.id', 'user_id')
    .select(['user_id', 'full_name', 'email'])
    .executeTakeFirst()
  if (!known) throw ruleViolation(INVALID_TOKEN)
  await refuseWeakPassword(new_password, 'new_password', known)
  const { user_id } = known
  const password_hash = await hashPassword(new_password, personKey(user_id))
  return inTransaction(ctx, async (ctx) => {
    await lockPerson(ctx, user_id)
    const spent = await ctx.db
      .deleteFrom('password_resets')
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', ctx.clock())
      .returning('user_id')
      .executeTakeFirst()
    if (!spent) throw ruleViolation(INVALID_TOKEN)
    const { numUpdatedRows } = await ctx.db
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', user_id)
      .where('is_active', '=', true)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw ruleViolation('Inactive user')
    await revokeAccess(ctx, user_id, { isOwn: true })
    await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'password.reset' })
    await notifyPerson(ctx, user_id, 'A senha da sua conta foi redefinida.')
    return { message: 'Password updated successfully' }
  })
}
