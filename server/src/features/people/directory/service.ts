import { createHash, randomBytes } from 'node:crypto'
import { ruleViolation } from '@garantia/shared/errors'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { networkOf, type Origin } from '../../../kernel/origin.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { startSession } from '../auth/service.ts'
import { lockPerson } from '../users/service.ts'
import { accountOf, DirectoryProblem } from './accounts.ts'
import { authorizationAddress, claimsOf } from './provider.ts'

export { DirectoryProblem } from './accounts.ts'

/** As long as somebody may look for a password at the directory. */
const UNDER_WAY_MS = 10 * 60_000
/** The browser redeems at once. */
const REDEEM_MS = 60_000
const STARTED = 60

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const secret = () => randomBytes(32).toString('base64url')
const after = (ctx: Ctx, ms: number) => new Date(ctx.clock().getTime() + ms)

/**
 * Begins a sign-in at the directory: its address for the browser, and the state that the browser keeps in a cookie.
 * `again` makes the directory ask for its password although somebody is signed in there. 429 after 60 in 15 minutes of
 * a network.
 */
export async function beginDirectorySignIn(
  ctx: Ctx,
  { redirect, again }: { redirect: string | undefined; again: boolean },
  { ip }: Origin,
) {
  await throttle(ctx, { bucket: `directory|${networkOf(ip)}`, hits: STARTED, window_seconds: 900 })
  const [state, nonce, code_verifier] = [secret(), secret(), secret()]
  const url = await authorizationAddress(ctx.config, { state, nonce, code_verifier, again })
  await ctx.db
    .insertInto('directory_sign_ins')
    .values({
      state_hash: hashOf(state),
      nonce,
      code_verifier,
      redirect: redirect ?? null,
      again,
      expires_at: after(ctx, UNDER_WAY_MS),
    })
    .execute()
  return { state, url }
}

/**
 * Ends a sign-in at the directory, which has sent the browser back to `url`; `state` is what the browser
 * kept. Returns a code with which the page opens its session once, within a minute, and what the browser
 * keeps in its cookie until then. Throws DirectoryProblem.
 */
export async function finishDirectorySignIn(ctx: Ctx, url: URL, state: string | undefined, origin: Origin) {
  const given = url.searchParams.get('state')
  const begun =
    given !== null && given === state
      ? await ctx.db
          .deleteFrom('directory_sign_ins')
          .where('state_hash', '=', hashOf(given))
          .where('user_id', 'is', null)
          .where('expires_at', '>', ctx.clock())
          .returning(['nonce', 'code_verifier', 'redirect', 'again', 'expires_at'])
          .executeTakeFirst()
      : undefined
  if (!begun || given === null) throw new DirectoryProblem('expired')
  const begun_at = begun.expires_at.getTime() - UNDER_WAY_MS
  const max_age = begun.again ? Math.ceil((ctx.clock().getTime() - begun_at) / 1000) : undefined
  const claims = await claimsOf(ctx.config, url, { ...begun, state: given, max_age }).catch(
    (cause: unknown) => {
      ctx.log.warn({ err: cause }, 'diretório recusado')
      ctx.securityLog.note(ctx, { kind: 'refused.sign_in' })
      throw new DirectoryProblem(url.searchParams.get('error') === 'access_denied' ? 'cancelled' : 'refused')
    },
  )
  const [code, browser] = [secret(), secret()]
  const problem = await inTransaction(ctx, async (ctx) => {
    const { id, problem } = await accountOf(ctx, claims, origin)
    if (!problem)
      await ctx.db
        .insertInto('directory_sign_ins')
        .values({
          ...begun,
          state_hash: hashOf(`${code}.${browser}`),
          user_id: id,
          expires_at: after(ctx, REDEEM_MS),
          authenticated_at: claims.authenticated_at,
        })
        .execute()
    return problem
  })
  // Not inside: an account that waits for its approval stays.
  if (problem) {
    ctx.securityLog.note(ctx, { kind: 'refused.sign_in' })
    throw new DirectoryProblem(problem)
  }
  return { code, browser }
}

/** A directory whose clock is ahead confirms nothing for longer. */
const confirmedAt = (ctx: Ctx, authenticated_at: Date | null) =>
  new Date(Math.min(authenticated_at?.getTime() ?? 0, ctx.clock().getTime()))

/**
 * Opens the session of a finished sign-in, confirmed when the directory last asked who is there, or never if
 * it does not say. 400 when the code is unknown, used, expired or of another browser, or the person inactive.
 */
export function redeemDirectorySignIn(
  ctx: Ctx,
  { code, browser = '' }: { code: string; browser: string | undefined },
  origin: Origin,
) {
  return inTransaction(ctx, async (ctx) => {
    const state_hash = hashOf(`${code}.${browser}`)
    const known = await ctx.db
      .selectFrom('directory_sign_ins')
      .where('state_hash', '=', state_hash)
      .select('user_id')
      .executeTakeFirst()
    const user = known?.user_id ? await lockPerson(ctx, known.user_id) : undefined
    const spent = await ctx.db
      .deleteFrom('directory_sign_ins')
      .where('state_hash', '=', state_hash)
      .where('user_id', 'is not', null)
      .where('expires_at', '>', ctx.clock())
      .returning(['user_id', 'redirect', 'authenticated_at'])
      .executeTakeFirst()
    if (!spent?.user_id) throw ruleViolation('A entrada expirou. Tente de novo.')
    if (!user?.is_active) throw ruleViolation('Inactive user')
    const { user_id, redirect, authenticated_at } = spent
    const confirmed_at = confirmedAt(ctx, authenticated_at)
    return { ...(await startSession(ctx, user_id, 'directory', origin, confirmed_at)), redirect }
  })
}

/** Deletes sign-ins that were not ended in time. */
export async function sweepDirectorySignIns(ctx: Ctx) {
  await ctx.db.deleteFrom('directory_sign_ins').where('expires_at', '<=', ctx.clock()).execute()
}
