import type { Config } from '../../../kernel/config.ts'
import { type Ctx, enqueue } from '../../../kernel/context.ts'

/** A stored object that goes along. */
export interface Attachment {
  key: string
  filename: string
  mime: string
}
export interface OutgoingEmail {
  recipient: string
  subject: string
  html: string
  body: string
}

/**
 * The Message-ID of an email, the same in each attempt: when one fails after the server took the mail, the retry is no
 * second mail.
 */
export const messageIdOf = ({ MAIL_FROM }: Config, { id, created_at }: { id: number; created_at: Date }) =>
  `<garantia-${id}-${created_at.getTime()}@${/@([^>\s]+)/.exec(MAIL_FROM)?.[1] ?? 'localhost'}>`

/**
 * Adds an email to the outbox, in the caller's transaction, and returns its id and Message-ID. With a mail server a
 * job sends it; without one a superuser can read it there.
 */
export async function enqueueEmail(ctx: Ctx, email: OutgoingEmail, attachment: Attachment | null = null) {
  const mail = await ctx.db
    .insertInto('mails')
    .values({ ...email, attachment: attachment && JSON.stringify(attachment) })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  const { id } = mail
  if (ctx.config.SMTP_URL)
    await enqueue(ctx, 'send-mail', { mail_id: id }, { key: `mail:${id}`, priority: -20, max_attempts: 8 })
  return { id, message_id: messageIdOf(ctx.config, mail) }
}
