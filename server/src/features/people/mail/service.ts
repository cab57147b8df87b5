import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'

export { composeEmail, shortened } from './compose-email.ts'
export { notifyPerson } from './notices.ts'
export { type Attachment, enqueueEmail, messageIdOf } from './outbox.ts'

/** Hours after which the link of a recovery email ends. */
export const LINK_HOURS = 2

/** An email that has not been sent; undefined once it was. */
export const unsentMail = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('mails').where('id', '=', id).where('sent_at', 'is', null).selectAll().executeTakeFirst()

/** In the place of a text whose link must not be read again: it changes a password. */
const FORGOTTEN = 'O texto desta mensagem não é guardado: o link que ela tinha troca uma senha.'
const forgotten = { body: FORGOTTEN, html: '' }

/** Whether the text of an email was forgotten before it was sent: it is not sent any more. */
export const isForgotten = ({ html }: { html: string }) => html === ''

/** Marks an email as sent, clears its error and forgets its text. */
export async function markMailSent(ctx: Ctx, id: number) {
  await ctx.db
    .updateTable('mails')
    .set({ sent_at: ctx.clock(), error: null, ...forgotten })
    .where('id', '=', id)
    .execute()
}
/** Forgets the texts of emails whose links have ended, also of those that were never sent. */
export async function forgetOldMails(ctx: Ctx) {
  await ctx.db
    .updateTable('mails')
    .set(forgotten)
    .where('created_at', '<', new Date(ctx.clock().getTime() - LINK_HOURS * 3_600_000))
    .where('html', '<>', '')
    .execute()
}
/** Records why an email could not be sent. */
export async function markMailFailed(ctx: Ctx, id: number, error: string) {
  await ctx.db.updateTable('mails').set({ error }).where('id', '=', id).execute()
}

/**
 * The newest 100 emails with their state but without their contents, so that a reset link is shown only when
 * an email is opened. 403 unless superuser with a session.
 */
export async function listMails(ctx: Ctx) {
  authorize(ctx.actor, 'mail.read')
  const rows = await ctx.db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'created_at', 'sent_at', 'error'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const data = rows.map(({ created_at, sent_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
  }))
  return { data, count: data.length, has_server: ctx.config.SMTP_URL !== undefined }
}

/** One email as text. 403 unless superuser with a recent sign-in; 404 when it does not exist. */
export async function readMail(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'mail.open')
  const row = await ctx.db
    .selectFrom('mails')
    .where('id', '=', id)
    .select(['id', 'recipient', 'subject', 'body'])
    .executeTakeFirst()
  if (!row) throw notFound('Mensagem não encontrada')
  return row
}
