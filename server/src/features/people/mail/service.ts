import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, enqueue } from '../../../kernel/context.ts'

export interface OutgoingEmail {
  recipient: string
  subject: string
  html: string
  body: string
}

/**
 * Adds an email to the outbox, in the caller's transaction. With a mail server a job sends it; without one a
 * superuser can read it there.
 */
export async function enqueueEmail(ctx: Ctx, email: OutgoingEmail) {
  const { id } = await ctx.db.insertInto('mails').values(email).returning('id').executeTakeFirstOrThrow()
  if (ctx.config.SMTP_URL)
    await enqueue(ctx, 'send-mail', { mail_id: id }, { key: `mail:${id}`, priority: -20, max_attempts: 8 })
}

/** An email that has not been sent; undefined once it was. */
export const unsentMail = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('mails').where('id', '=', id).where('sent_at', 'is', null).selectAll().executeTakeFirst()

/** Marks an email as sent and clears its error. */
export async function markMailSent(ctx: Ctx, id: number) {
  await ctx.db.updateTable('mails').set({ sent_at: ctx.clock(), error: null }).where('id', '=', id).execute()
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

/** One email as text. 403 unless superuser with a session; 404 when it does not exist. */
export async function readMail(ctx: Ctx, id: number) {
  authorize(ctx.actor, 'mail.read')
  const row = await ctx.db
    .selectFrom('mails')
    .where('id', '=', id)
    .select(['id', 'recipient', 'subject', 'body'])
    .executeTakeFirst()
  if (!row) throw notFound('Mensagem não encontrada')
  return row
}
