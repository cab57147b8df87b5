import { AppError } from '@garantia/shared/errors'
import { requireUser } from '../../../kernel/caller.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { openSessions } from '../../../kernel/sessions.ts'

/**
 * What decides whether somebody may enter, locked before anything that belongs to them: sessions, links and
 * factors are made and ended under this lock. Undefined when there is no such person.
 */
export const lockPerson = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('users')
    .where('id', '=', id)
    .select(['email', 'password_hash', 'is_active', 'is_superuser', 'access_epoch'])
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Locks the caller's row before issuing a new secret for them. 401 if their access was revoked since this call began:
 * the revocation would miss the secret.
 */
export async function lockCaller(ctx: Ctx) {
  const { id, access_epoch } = requireUser(ctx)
  const row = await lockPerson(ctx, id)
  if (!row?.is_active || row.access_epoch !== access_epoch)
    throw new AppError('unauthenticated', 'Not authenticated')
  return row
}

/**
 * When a secret ends. `always`: with every revocation. `standing`: the same, unless the person keeps what programs and
 * other people hold. `decided`: when somebody else decides about the account, since a thief is its owner to the product.
 * `account`: when the person leaves or the account is given to another; `factor`: then, and by itself.
 */
export type SecretEnd = 'always' | 'standing' | 'decided' | 'factor' | 'account'

interface Revocation {
  /** By a session, a link or a mail of the account itself. */
  isOwn?: boolean
  /** Whether API tokens, calendar and links for photos stay. */
  keepsStanding?: boolean
  /** Token of the session that stays. */
  except?: string
}

interface Secret {
  ends: SecretEnd
  end(ctx: Ctx, id: number, how: Revocation): Promise<unknown>
}

/** Tables of which a row is deleted with the secret of its `user_id`. */
type Owned =
  | 'directory_sign_ins'
  | 'passkey_challenges'
  | 'password_resets'
  | 'api_tokens'
  | 'calendar_feeds'
  | 'login_undos'
  | 'passkeys'
  | 'totp_secrets'
  | 'recovery_codes'
  | 'directory_accounts'
const deleted = (table: Owned, ends: SecretEnd): Secret => ({
  ends,
  end: ({ db }, id) => db.deleteFrom(table).where('user_id', '=', id).execute(),
})

/**
 * Everything that opens something as a person, by the table that has it. `tests/services/revocation.test.ts` compares it
 * with the columns of the database, and tries each with each revocation.
 */
export const SECRETS = {
  sessions: {
    ends: 'always',
    end: ({ db }, id, { except }) =>
      except === undefined ? openSessions(db).closeAllOf(id) : openSessions(db).closeOthersOf(id, except),
  },
  /** Signed addresses, codes of the app's camera and live notifications: none is stored, each names this number. */
  users: {
    ends: 'always',
    end: ({ db }, id) =>
      db
        .updateTable('users')
        .set((eb) => ({ access_epoch: eb('access_epoch', '+', 1) }))
        .where('id', '=', id)
        .execute(),
  },
  directory_sign_ins: deleted('directory_sign_ins', 'always'),
  passkey_challenges: deleted('passkey_challenges', 'always'),
  password_resets: deleted('password_resets', 'always'),
  api_tokens: deleted('api_tokens', 'standing'),
  calendar_feeds: deleted('calendar_feeds', 'standing'),
  guest_links: { ends: 'standing', end: revokeGuestLinksOf },
  login_undos: deleted('login_undos', 'decided'),
  passkeys: deleted('passkeys', 'factor'),
  recovery_codes: deleted('recovery_codes', 'factor'),
  totp_secrets: deleted('totp_secrets', 'factor'),
  directory_accounts: deleted('directory_accounts', 'account'),
} as const satisfies Record<string, Secret>

async function end(ctx: Ctx, id: number, which: readonly SecretEnd[], how: Revocation = {}) {
  for (const secret of Object.values<Secret>(SECRETS))
    if (which.includes(secret.ends)) await secret.end(ctx, id, how)
}

/**
 * Ends everything by which somebody acts as a person, also what is about to open and what was signed for them; their
 * password and second factor stay. In the caller's transaction.
 */
export async function revokeAccess(ctx: Ctx, id: number, how: Revocation = {}) {
  const { isOwn, keepsStanding } = how
  await end(
    ctx,
    id,
    ['always', ...(keepsStanding ? [] : ['standing' as const]), ...(isOwn ? [] : ['decided' as const])],
    how,
  )
  // Drop an unfinished authenticator setup; a confirmed one stays.
  await ctx.db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', id)
    .where('confirmed_at', 'is', null)
    .execute()
}

/** Removes everything that opens an account besides its password, in the caller's transaction. */
export const deleteFactors = (ctx: Ctx, id: number) => end(ctx, id, ['factor'])

/** Leaves nothing to a person but the row: all of the above, and the link to the directory. The password is the caller's to replace. */
export async function closeAccount(ctx: Ctx, id: number) {
  await revokeAccess(ctx, id)
  await end(ctx, id, ['factor', 'account'])
}

/** The chain of an order is locked with its event, so in one order for all. */
async function revokeGuestLinksOf(ctx: Ctx, id: number) {
  const links = await ctx.db
    .updateTable('guest_links')
    .set({ revoked_at: ctx.clock() })
    .where('created_by', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ctx.clock())
    .returning(['id', 'order_id', 'label'])
    .execute()
  await recordEvents(
    ctx,
    links
      .sort((one, other) => one.order_id - other.order_id)
      .map(({ id, order_id, label }) => ({
        subject: 'order',
        subject_id: order_id,
        kind: 'guest_link.revoked',
        changes: { guest_link_id: id, guest_link: label },
      })),
  )
}

/** Invalidates the pending reset links of a person. */
export const deletePasswordResets = (ctx: Ctx, id: number) => SECRETS.password_resets.end(ctx, id, {})
/** Invalidates the links with which former addresses of a person would get the account back. */
export const deleteLoginUndos = (ctx: Ctx, id: number) => SECRETS.login_undos.end(ctx, id, {})
