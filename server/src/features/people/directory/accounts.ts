import { ROLES, type Role } from '@garantia/shared/users/role'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { networkOf, type Origin } from '../../../kernel/origin.ts'
import { personKey, unusablePassword } from '../../../kernel/passwords.ts'
import { closeAccount, lockedUser, writeUser } from '../users/service.ts'
import type { DirectoryClaims } from './provider.ts'

/** Why the directory's answer opened nothing; the sign-in page has a sentence for each. */
export type DirectoryReason =
  | 'expired'
  | 'refused'
  | 'cancelled'
  | 'unverified'
  | 'unstated'
  | 'superuser'
  | 'unknown'
  | 'waiting'
  | 'inactive'

export class DirectoryProblem extends Error {
  override readonly name = 'DirectoryProblem'
  readonly reason: DirectoryReason
  constructor(reason: DirectoryReason) {
    super(reason)
    this.reason = reason
  }
}

/**
 * The person of these claims, locked: linked before, or linked now by a verified email address (never a superuser),
 * or opened as SIGNUP_MODE allows; with the reason when they may not enter yet. The groups decide the role when OIDC_ROLES
 * is set. In the caller's transaction. Throws DirectoryProblem.
 */
export async function accountOf(caller: Ctx, claims: DirectoryClaims, origin: Origin) {
  const ctx: Ctx = { ...caller, actor: { kind: 'system' } }
  const linked = await linkedTo(ctx, claims)
  const id = linked ?? (await linkByEmail(ctx, claims, origin))
  const user = await lockedUser(ctx, id)
  // Somebody else may have been given the account while this waited for the lock.
  if (linked !== undefined && (await linkedTo(ctx, claims)) !== id) throw new DirectoryProblem('expired')
  const role = roleOf(ctx, claims.groups)
  if (role && role !== user.role)
    await writeUser(ctx, user, { role, ...(role !== 'technician' && { manager_id: null }) })
  const closed: DirectoryReason = user.last_login_at ? 'inactive' : 'waiting'
  return { id, problem: user.is_active ? null : closed }
}

async function linkedTo(ctx: Ctx, { issuer, subject }: DirectoryClaims) {
  const row = await ctx.db
    .selectFrom('directory_accounts')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** The highest role of the person's groups; the lowest for somebody in none of them; null when groups say nothing. */
function roleOf({ config }: Ctx, groups: readonly string[] | null): Role | null {
  if (config.OIDC_ROLES.length === 0 || groups === null) return null
  const given = config.OIDC_ROLES.filter(([group]) => groups.includes(group)).map(([, role]) => role)
  return ROLES.findLast((role) => given.includes(role)) ?? 'technician'
}

async function linkByEmail(ctx: Ctx, { issuer, subject, email, name }: DirectoryClaims, origin: Origin) {
  if ('problem' in email) {
    if (email.problem === 'unstated')
      ctx.log.warn(
        { issuer },
        'diretório não envia email_verified: liste os domínios em OIDC_VERIFIED_DOMAINS',
      )
    throw new DirectoryProblem(email.problem)
  }
  const { address } = email
  const found = await ctx.db
    .selectFrom('users')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', address.toLowerCase()))
    .select(['id', 'is_superuser'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (found?.is_superuser) throw new DirectoryProblem('superuser')
  const user_id = found ? found.id : await openAccount(ctx, address, name, origin)
  if (found) await takeOver(ctx, found.id)
  const created_at = ctx.clock()
  await ctx.db.insertInto('directory_accounts').values({ issuer, subject, user_id, created_at }).execute()
  await recordEvent(ctx, {
    subject: 'user',
    subject_id: user_id,
    kind: 'directory.linked',
    changes: { email: address },
    origin,
  })
  return user_id
}

/**
 * Nobody has verified that the person who opened a local account owns its address, so they keep nothing of it, nor
 * does another account of the directory.
 */
async function takeOver(ctx: Ctx, id: number) {
  await closeAccount(ctx, id)
  await ctx.db
    .updateTable('users')
    .set({ password_hash: await unusablePassword(personKey(id)) })
    .where('id', '=', id)
    .execute()
}

async function openAccount(ctx: Ctx, email: string, name: string, { ip }: Origin) {
  const mode = ctx.config.SIGNUP_MODE
  if (mode === 'off') throw new DirectoryProblem('unknown')
  const { id } = await ctx.db
    .insertInto('users')
    .values({
      email,
      full_name: name || email,
      is_active: mode === 'open',
      password_hash: await unusablePassword(networkOf(ip)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'signed_up', changes: { email } })
  return id
}
