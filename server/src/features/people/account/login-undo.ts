import { createHash, randomBytes } from 'node:crypto'
import { conflict, ruleViolation } from '@garantia/shared/errors'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { violatedIndex } from '../../../kernel/database.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { personKey, unusablePassword } from '../../../kernel/passwords.ts'
import { openPasswordReset } from '../auth/service.ts'
import { composeEmail, enqueueEmail } from '../mail/service.ts'
import { lockPerson, revokeAccess } from '../users/service.ts'

/** As long as somebody may be on holiday without reading mail. */
const UNDO_DAYS = 14
const INVALID = 'O link é inválido, já foi usado ou expirou. Fale com um administrador.'

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Tells the former address of a changed login, with a link that undoes it; in the caller's transaction. */
export async function offerLoginUndo(
  ctx: Ctx,
  { id, email, full_name }: { id: number; email: string; full_name: string },
  new_login: string,
) {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock()
  await ctx.db
    .insertInto('login_undos')
    .values({
      token_hash: hashOf(token),
      user_id: id,
      former_login: email,
      changed_at: now,
      expires_at: new Date(now.getTime() + UNDO_DAYS * 86_400_000),
    })
    .execute()
  await enqueueEmail(
    ctx,
    composeEmail({
      recipient: email,
      name: full_name,
      subject: 'o login da sua conta mudou',
      text: `O login da sua conta passou a ser «${new_login}». Este endereço não recebe mais a recuperação de senha.`,
      button: { text: 'Não fui eu: desfazer', url: `${ctx.config.app_url}/undo-login?token=${token}` },
      note: `Se foi você, não é preciso fazer nada. O endereço vale por ${UNDO_DAYS} dias: ele devolve o login, encerra todas as sessões e tokens e deixa você escolher uma nova senha.`,
    }),
  )
}

/**
 * Gives an account back to who had its login before: the former login, no password, session or API token, and
 * none of the second factors and links to a directory added since; returns a token with which a password can
 * be chosen. 400 when the link is unknown, used or expired, or the person inactive; 409 when somebody else
 * has the login now.
 */
export function undoLoginChange(ctx: Ctx, { token }: { token: string }) {
  return inTransaction(ctx, async (ctx) => {
    const token_hash = hashOf(token)
    const known = await ctx.db
      .selectFrom('login_undos')
      .where('token_hash', '=', token_hash)
      .select('user_id')
      .executeTakeFirst()
    if (known) await lockPerson(ctx, known.user_id)
    const spent = await ctx.db
      .deleteFrom('login_undos')
      .where('token_hash', '=', token_hash)
      .where('expires_at', '>', ctx.clock())
      .returning(['user_id', 'former_login', 'changed_at'])
      .executeTakeFirst()
    if (!spent) throw ruleViolation(INVALID)
    const { user_id, former_login, changed_at } = spent
    const { numUpdatedRows } = await ctx.db
      .updateTable('users')
      .set({
        email: former_login,
        // Whoever changed the login may know the password.
        password_hash: await unusablePassword(personKey(user_id)),
        version: sql`version + 1`,
        updated_at: ctx.clock(),
      })
      .where('id', '=', user_id)
      .where('is_active', '=', true)
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (violatedIndex(error) === 'users_login')
          throw conflict('Outra conta usa este login agora. Fale com um administrador.')
        throw error
      })
    if (numUpdatedRows === 0n) throw ruleViolation('Inactive user')
    await revokeAccess(ctx, user_id, { isOwn: true })
    // Links to addresses that came after this one would take the account away again.
    await ctx.db
      .deleteFrom('login_undos')
      .where('user_id', '=', user_id)
      .where('changed_at', '>=', changed_at)
      .execute()
    for (const table of ['passkeys', 'totp_secrets', 'directory_accounts'] as const)
      await ctx.db
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where('created_at', '>=', changed_at)
        .execute()
    // They may have been renewed since, and then are known to who took the account.
    await ctx.db.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: user_id,
      kind: 'login.restored',
      changes: { email: former_login },
    })
    return { reset_token: await openPasswordReset(ctx, user_id) }
  })
}

/** Deletes links that were not used in time. */
export async function sweepLoginUndos(ctx: Ctx) {
  await ctx.db.deleteFrom('login_undos').where('expires_at', '<=', ctx.clock()).execute()
}
