import { createHash, randomBytes } from 'node:crypto'
import { CODE_NEEDED, CODE_WRONG } from '@garantia/shared/auth/second-factor'
import { conflict, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { Secret, TOTP } from 'otpauth'
import { TOTP_PURPOSE } from '../../../kernel/account-state.ts'
import { requireUser } from '../../../kernel/caller.ts'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { decrypt, decryptOwn, encrypt } from '../../../kernel/encryption.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { openSessions } from '../../../kernel/sessions.ts'
import { consumeAttempt, forgetHits } from '../../../kernel/throttle.ts'
import { notifyPerson } from '../mail/service.ts'
import { deleteFactors, lockCaller, lockedUser, revokeAccess } from '../users/service.ts'

/** RFC 4226, section 4: at least 128 bits, 160 recommended. */
const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Codes of the step before and after count too, for clocks that differ (RFC 6238, section 5.2). */
const WINDOW = 1
const RECOVERY_CODES = 10
/** 80 random bits, so that a plain hash of a code cannot be reversed. */
const RECOVERY_BYTES = 10
const QUARTER_HOUR = 900
/** Wrong codes of an account from anywhere: who tries them knows its password. */
const WRONG_CODES = 10
const MISSING = 'A verificação em duas etapas não está ativada.'

const authenticator = (secret: Secret, label: string) =>
  new TOTP({ issuer: 'Garantia', label, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS, secret })

/** Since when codes of an authenticator are asked for, and how many recovery codes are left; null when they are not. */
export async function readTotp(ctx: Ctx, user_id: number) {
  const row = await ctx.db
    .selectFrom('totp_secrets')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .select((eb) => [
      'confirmed_at',
      eb
        .selectFrom('recovery_codes')
        .whereRef('recovery_codes.user_id', '=', 'totp_secrets.user_id')
        .select(({ fn }) => fn.countAll<number>().as('left'))
        .as('recovery_codes'),
    ])
    .executeTakeFirst()
  return row?.confirmed_at
    ? { since: row.confirmed_at.toISOString(), recovery_codes: row.recovery_codes ?? 0 }
    : null
}

/**
 * A new secret for the caller's authenticator, as text (base32) and as an address for a QR code; it counts once a
 * code of it was confirmed. 403 with an API token or without a recent sign-in; 409 when one is active.
 */
export async function beginTotp(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer })
  return inTransaction(ctx, async (ctx) => {
    const { email } = await lockCaller(ctx)
    if (await readTotp(ctx, id)) throw conflict('A verificação em duas etapas já está ativada.')
    await ctx.db.deleteFrom('totp_secrets').where('user_id', '=', id).execute()
    await ctx.db
      .insertInto('totp_secrets')
      .values({
        user_id: id,
        encrypted_secret: encrypt(ctx.config.SIGNING_KEY, TOTP_PURPOSE, secret.base32),
        created_at: ctx.clock(),
      })
      .execute()
    return { secret: secret.base32, url: authenticator(secret, email).toString() }
  })
}

/**
 * Asks for codes from now on, and returns ten recovery codes, which are not shown again. Ends all other sessions and
 * tells the person by mail. 400 for a wrong code; 404 when no secret was made; 429 after ten wrong codes.
 */
export async function confirmTotp(ctx: Ctx, code: string, token: string) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  const limit = codeLimit(ctx, id)
  await consumeAttempt(ctx, limit)
  const recovery_codes = await inTransaction(ctx, async (ctx) => {
    await lockCaller(ctx)
    const row = await lockedSecret(ctx, id)
    if (!row || row.confirmed_at) throw notFound('Comece a ativação de novo.')
    const step = stepOf(ctx, row, code)
    if (step === null) throw ruleViolation(CODE_WRONG)
    await ctx.db
      .updateTable('totp_secrets')
      .set({ confirmed_at: ctx.clock(), last_step: step })
      .where('user_id', '=', id)
      .execute()
    const sessions = openSessions(ctx.db)
    await sessions.closeOthersOf(id, token)
    await sessions.confirm(token, 'code')
    const codes = await replaceRecoveryCodes(ctx, id)
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'factor.added' })
    await notifyPerson(ctx, id, 'A verificação em duas etapas foi ativada na sua conta.')
    return codes
  })
  await forgetHits(ctx, limit.bucket)
  return { recovery_codes }
}

/** New recovery codes; the former ones end. 403 as in `beginTotp`; 404 when codes are not asked for. */
export function renewRecoveryCodes(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  return inTransaction(ctx, async (ctx) => {
    if (!(await lockedSecret(ctx, id))?.confirmed_at) throw notFound(MISSING)
    const recovery_codes = await replaceRecoveryCodes(ctx, id)
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'factor.codes_renewed' })
    await notifyPerson(ctx, id, 'Os códigos de recuperação da sua conta foram trocados.')
    return { recovery_codes }
  })
}

/** Codes are no longer asked of the caller. 403 as in `beginTotp`; 404 when they were not. */
export function removeTotp(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  return inTransaction(ctx, async (ctx) => {
    const { numDeletedRows } = await ctx.db
      .deleteFrom('totp_secrets')
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound(MISSING)
    await ctx.db.deleteFrom('recovery_codes').where('user_id', '=', id).execute()
    await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'factor.removed' })
    await notifyPerson(ctx, id, 'A verificação em duas etapas foi desativada na sua conta.')
    return { message: 'Verificação em duas etapas desativada' }
  })
}

/**
 * Takes away the second factor and passkeys of somebody who has lost them, ends their access and tells them by mail.
 * 404 outside the caller's scope; 403 without permission or a recent sign-in.
 */
export async function removeFactorsOf(ctx: Ctx, user_id: number) {
  authorizeSome(ctx.actor, 'user.recredential')
  return inTransaction(ctx, async (ctx) => {
    const user = await lockedUser(ctx, user_id)
    authorize(ctx.actor, 'user.change', user)
    authorize(ctx.actor, 'user.recredential')
    await deleteFactors(ctx, user_id)
    await revokeAccess(ctx, user_id)
    await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'factor.removed' })
    await notifyPerson(ctx, user_id, 'Um administrador removeu a verificação em duas etapas da sua conta.')
    return { message: 'Verificação em duas etapas removida' }
  })
}

/**
 * Judges the code of a person whose password was right: true when it was right, false when this person has none. 400
 * when a code is missing or wrong; 429 after ten wrong ones in 15 minutes. A code counts once, a recovery code for
 * ever.
 */
export async function checkCode(ctx: Ctx, user_id: number, code: string | undefined): Promise<boolean> {
  const active = await readTotp(ctx, user_id)
  if (!active) return false
  if (code === undefined) throw ruleViolation(CODE_NEEDED)
  const limit = codeLimit(ctx, user_id)
  await consumeAttempt(ctx, limit)
  const isRight = await inTransaction(ctx, async (ctx) => {
    const row = await lockedSecret(ctx, user_id)
    if (!row?.confirmed_at) return false
    const step = stepOf(ctx, row, code)
    if (step === null) return spendRecoveryCode(ctx, user_id, code)
    await ctx.db.updateTable('totp_secrets').set({ last_step: step }).where('user_id', '=', user_id).execute()
    return true
  })
  if (!isRight) {
    const { origin } = ctx
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: user_id,
      kind: 'sign_in.failed',
      changes: { method: 'code' },
      ...(origin && { origin }),
    })
    ctx.securityLog.note(ctx, { kind: 'refused.sign_in', details: { account_id: user_id } })
    throw ruleViolation(CODE_WRONG)
  }
  await forgetHits(ctx, limit.bucket)
  return true
}

const codeLimit = (ctx: Ctx, user_id: number) => ({
  bucket: `code|${user_id}`,
  hits: ctx.config.LOGIN_LIMIT === 0 ? 0 : WRONG_CODES,
  window_seconds: QUARTER_HOUR,
})

/** The row under a lock, so that of two sign-ins with one code only the first succeeds. */
const lockedSecret = (ctx: Ctx, user_id: number) =>
  ctx.db
    .selectFrom('totp_secrets')
    .where('user_id', '=', user_id)
    .select(['encrypted_secret', 'last_step', 'confirmed_at'])
    .forUpdate()
    .executeTakeFirst()

/** The time step of a code that was not used yet; null when it is wrong. */
function stepOf(
  ctx: Ctx,
  { encrypted_secret, last_step }: { encrypted_secret: string; last_step: number },
  code: string,
) {
  const base32 = decryptOwn(ctx.config, TOTP_PURPOSE, encrypted_secret)
  if (base32 === null || !/^\d{6}$/.test(code)) return null
  const timestamp = ctx.clock().getTime()
  const delta = authenticator(Secret.fromBase32(base32), '').validate({
    token: code,
    timestamp,
    window: WINDOW,
  })
  if (delta === null) return null
  const step = Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
  return step > last_step ? step : null
}

/** Encrypts with the present key what a former one has encrypted, so that the former may be forgotten. */
export async function reencryptSecrets(ctx: Ctx) {
  if (ctx.config.SIGNING_KEY_PREVIOUS.length === 0) return
  const rows = await ctx.db.selectFrom('totp_secrets').select(['user_id', 'encrypted_secret']).execute()
  for (const { user_id, encrypted_secret } of rows) {
    if (decrypt(ctx.config.SIGNING_KEY, TOTP_PURPOSE, encrypted_secret) !== null) continue
    const secret = decryptOwn(ctx.config, TOTP_PURPOSE, encrypted_secret)
    if (secret === null) continue
    await ctx.db
      .updateTable('totp_secrets')
      .set({ encrypted_secret: encrypt(ctx.config.SIGNING_KEY, TOTP_PURPOSE, secret) })
      .where('user_id', '=', user_id)
      .where('encrypted_secret', '=', encrypted_secret)
      .execute()
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

async function replaceRecoveryCodes(ctx: Ctx, user_id: number) {
  await ctx.db.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32.toLowerCase(),
  )
  await ctx.db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id, code_hash: hashOf(code) })))
    .execute()
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'))
}

async function spendRecoveryCode(ctx: Ctx, user_id: number, code: string) {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', hashOf(code))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'factor.code_spent' })
  await notifyPerson(ctx, user_id, 'Um código de recuperação foi usado para entrar na sua conta.')
  return true
}
