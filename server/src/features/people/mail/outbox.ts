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
