import {
  type FactorsView,
  PASSKEYS_MAX,
  type PasskeyAnswer,
  type PasskeyInput,
} from '@garantia/shared/auth/second-factor'
import { conflict, notFound, ruleViolation } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { requireUser } from '../../../kernel/caller.ts'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { networkOf, type Origin } from '../../../kernel/origin.ts'
import { openSessions } from '../../../kernel/sessions.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { requireLocalSignIn, startSession } from '../auth/service.ts'
import { notifyPerson, shortened } from '../mail/service.ts'
import { lockCaller, lockPerson } from '../users/service.ts'
import { relyingParty } from './relying-party.ts'

/** How long somebody may look for a key or a finger. */
const CHALLENGE_MS = 5 * 60_000
const REFUSED = 'A chave de acesso não foi aceita. Tente de novo.'
const UNKNOWN = 'Esta chave de acesso não está cadastrada.'
/** Challenges of one network, or one person who makes a passkey, in 15 minutes; each is a row. */
const CHALLENGES = 100
const TOO_MANY = `Você já tem ${PASSKEYS_MAX} chaves de acesso. Remova uma delas para criar outra.`

/** Half a megabyte of certificate parsers, loaded with the first passkey. */
const library = () => import('@simplewebauthn/server')

/** A person's passkeys, oldest first. */
export async function listPasskeys(ctx: Ctx, user_id: number): Promise<FactorsView['passkeys']> {
  const rows = await ctx.db
    .selectFrom('passkeys')
    .where('user_id', '=', user_id)
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .orderBy('id')
    .execute()
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }))
}

/**
 * What the browser needs to make a passkey (PublicKeyCredentialCreationOptionsJSON of WebAuthn level 3). 403 with an
 * API token or without a recent sign-in; 409 at the limit of passkeys; 429 after 100 in 15 minutes.
 */
export async function beginPasskey(ctx: Ctx) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  await throttle(ctx, { bucket: `passkey|person ${id}`, hits: CHALLENGES, window_seconds: 900 })
  const [{ email, full_name }, known] = await Promise.all([
    ctx.db.selectFrom('users').where('id', '=', id).select(['email', 'full_name']).executeTakeFirstOrThrow(),
    ctx.db.selectFrom('passkeys').where('user_id', '=', id).select('credential_id').execute(),
  ])
  if (known.length >= PASSKEYS_MAX) throw conflict(TOO_MANY)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Garantia',
    rpID: relyingParty(ctx.config).id,
    userName: email,
    userDisplayName: full_name,
    userID: new TextEncoder().encode(String(id)),
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(ctx, options.challenge, id)
  return options
}

/**
 * Keeps the passkey that the browser has made, and tells its owner by mail. 400 when it was not made for the last
 * challenge, this address and a verified person; 403 and 409 as in `beginPasskey`.
 */
export async function addPasskey(ctx: Ctx, { name, response }: PasskeyInput, token: string) {
  const { id: user_id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  const { id, origins } = relyingParty(ctx.config)
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => spendChallenge(ctx, challenge, user_id),
    expectedOrigin: origins,
    expectedRPID: id,
  }).catch(refused)
  if (!verified) throw ruleViolation(REFUSED)
  const { credential } = registrationInfo
  return inTransaction(ctx, async (ctx) => {
    // Two concurrent calls would both count one less than the limit.
    await lockCaller(ctx)
    if ((await listPasskeys(ctx, user_id)).length >= PASSKEYS_MAX) throw conflict(TOO_MANY)
    const written = await ctx.db
      .insertInto('passkeys')
      .values({
        credential_id: credential.id,
        user_id,
        name,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        created_at: ctx.clock(),
      })
      .onConflict((on) => on.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!written) throw conflict('Esta chave de acesso já está cadastrada.')
    await openSessions(ctx.db).confirm(token, 'passkey')
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: user_id,
      kind: 'passkey.added',
      changes: { name },
    })
    await notifyPerson(ctx, user_id, `A chave de acesso «${shortened(name)}» foi cadastrada na sua conta.`)
    return { message: 'Chave de acesso cadastrada' }
  })
}

/** Removes one of the caller's passkeys and tells them by mail. 403 as in `beginPasskey`; 404 when it is not theirs. */
export function removePasskey(ctx: Ctx, id: number) {
  const { id: user_id } = requireUser(ctx)
  authorize(ctx.actor, 'account.recredential')
  return inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .deleteFrom('passkeys')
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!row) throw notFound('Chave de acesso não encontrada')
    await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'passkey.removed', changes: row })
    await notifyPerson(ctx, user_id, `A chave de acesso «${shortened(row.name)}» foi removida da sua conta.`)
    return { message: 'Chave de acesso removida' }
  })
}

/** What the browser needs to ask for a passkey; for sign-in and for confirming. 429 after 100 of a network. */
export async function askForPasskey(ctx: Ctx, { ip }: Origin) {
  await throttle(ctx, { bucket: `passkey|${networkOf(ip)}`, hits: CHALLENGES, window_seconds: 900 })
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx.config).id,
    userVerification: 'required',
  })
  await keepChallenge(ctx, options.challenge, null)
  return options
}

/**
 * Opens a session with a passkey. 400 when it is unknown or its answer wrong, or the person inactive; 403 when only
 * the directory signs this person in.
 */
export async function signInWithPasskey(ctx: Ctx, answer: PasskeyAnswer, origin: Origin) {
  const user_id = await ownerOf(ctx, answer)
  return inTransaction(ctx, async (ctx) => {
    const user = await lockPerson(ctx, user_id)
    // Whoever takes the account back removes passkeys under the same lock.
    const kept = await ctx.db
      .selectFrom('passkeys')
      .where('credential_id', '=', answer.response.id)
      .select('id')
      .executeTakeFirst()
    if (!user || !kept) throw ruleViolation(UNKNOWN)
    if (!user.is_active) throw ruleViolation('Inactive user')
    requireLocalSignIn(ctx, user)
    return startSession(ctx, user_id, 'passkey', origin)
  })
}

/** Proves again who uses this session, by a passkey of the caller. 400 when it is wrong; 403 with an API token. */
export async function confirmWithPasskey(ctx: Ctx, answer: PasskeyAnswer, token: string) {
  const { id } = requireUser(ctx)
  authorize(ctx.actor, 'account.secure')
  if ((await ownerOf(ctx, answer)) !== id) throw ruleViolation(UNKNOWN)
  await ctx.sessions.confirm(token, 'passkey')
  return { message: 'Identidade confirmada' }
}

/** The person whose passkey gave this answer to a challenge of ours that was not answered yet. 400 otherwise. */
async function ownerOf(ctx: Ctx, { response }: PasskeyAnswer) {
  const row = await ctx.db
    .selectFrom('passkeys')
    .where('credential_id', '=', response.id)
    .select(['id', 'user_id', 'public_key', 'counter'])
    .executeTakeFirst()
  if (!row) {
    noteRefusal(ctx)
    throw ruleViolation(UNKNOWN)
  }
  const { id, origins } = relyingParty(ctx.config)
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => spendChallenge(ctx, challenge, null),
    expectedOrigin: origins,
    expectedRPID: id,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(row.public_key),
      counter: row.counter,
    },
  }).catch((cause: unknown) => {
    noteRefusal(ctx, row)
    return refused(cause)
  })
  if (!verified) {
    noteRefusal(ctx, row)
    throw ruleViolation(REFUSED)
  }
  await ctx.db
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: ctx.clock() })
    .where('id', '=', row.id)
    .execute()
  return row.user_id
}

const noteRefusal = (ctx: Ctx, passkey?: { user_id: number }) =>
  ctx.securityLog.note(ctx, {
    kind: 'refused.sign_in',
    details: { ...(passkey && { account_id: passkey.user_id }) },
  })

/** The library names what was wrong, in English and for engineers. */
function refused(cause: unknown): never {
  throw ruleViolation(REFUSED, { cause })
}

async function keepChallenge(ctx: Ctx, challenge: string, user_id: number | null) {
  const expires_at = new Date(ctx.clock().getTime() + CHALLENGE_MS)
  await ctx.db.insertInto('passkey_challenges').values({ challenge, user_id, expires_at }).execute()
}
async function spendChallenge(ctx: Ctx, challenge: string, user_id: number | null) {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('user_id', 'is not distinct from', user_id)
    .where('expires_at', '>', ctx.clock())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes challenges that were not answered in time. */
export async function sweepPasskeyChallenges(ctx: Ctx) {
  await ctx.db.deleteFrom('passkey_challenges').where('expires_at', '<=', ctx.clock()).execute()
}
