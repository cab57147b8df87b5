import { isEmail } from '@garantia/shared/auth/schema'
import type { Ctx } from '../../../kernel/context.ts'
import { composeEmail } from './compose-email.ts'
import { enqueueEmail } from './outbox.ts'

/**
 * Tells a person by mail that what opens their account has changed, in the caller's transaction. Does nothing when
 * the login is no email address.
 */
export async function notifyPerson(ctx: Ctx, user_id: number, text: string) {
  const { email, full_name } = await ctx.db
    .selectFrom('users')
    .where('id', '=', user_id)
    .select(['email', 'full_name'])
    .executeTakeFirstOrThrow()
  if (!isEmail(email)) return
  await enqueueEmail(
    ctx,
    composeEmail({
      recipient: email,
      name: full_name,
      subject: 'aviso de segurança',
      text,
      button: { text: 'Não fui eu: redefinir a senha', url: `${ctx.config.app_url}/recover-password` },
      note: 'Se foi você, não é preciso fazer nada. Se não foi, redefina a senha, o que encerra todas as sessões e tokens, e fale com um administrador.',
    }),
  )
}
