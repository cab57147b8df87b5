import { notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import { type Ctx, enqueue } from '../../../kernel/context.ts'

export interface OutgoingEmail {
  recipient: string
  subject: string
  html: string
  body: string
}

/** Puts a mail in the outbox. With a mail server a job sends it; without one it waits for a superuser to read. */
export async function enqueueEmail(ctx: Ctx, email: OutgoingEmail) {
  const { id } = await ctx.db.insertInto('mails').values(email).returning('id').executeTakeFirstOrThrow()
  if (ctx.config.SMTP_URL)
    await enqueue(ctx, 'send-mail', { mail_id: id }, { key: `mail:${id}`, priority: -20, max_attempts: 8 })
}

/** A mail that still has to go out; undefined once it went. */
export const unsentMail = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('mails').where('id', '=', id).where('sent_at', 'is', null).selectAll().executeTakeFirst()

export async function markMailSent(ctx: Ctx, id: number) {
  await ctx.db.updateTable('mails').set({ sent_at: ctx.clock(), error: null }).where('id', '=', id).execute()
}
export async function markMailFailed(ctx: Ctx, id: number, error: string) {
  await ctx.db.updateTable('mails').set({ error }).where('id', '=', id).execute()
}

/** The newest mails with their state, without their contents: a reset link is shown only when a mail is opened. */
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
