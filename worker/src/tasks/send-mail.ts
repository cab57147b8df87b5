import { markMailFailed, markMailSent, messageIdOf, unsentMail } from '@garantia/server/features/people/mail'
import { createTransport } from 'nodemailer'
import type { Job } from '../task.ts'

const SMTP_TIMEOUT_MS = 20_000

/** Sends a queued mail over SMTP; on an error the job is retried, with growing delays. */
export const sendMail: Job<'send-mail'> = async (ctx, { mail_id }) => {
  const mail = await unsentMail(ctx, mail_id)
  const { SMTP_URL, MAIL_FROM } = ctx.config
  if (!mail || !SMTP_URL) return
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  })
  try {
    await transport.sendMail({
      from: MAIL_FROM,
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body,
      html: mail.html,
      messageId: messageIdOf(ctx.config, mail),
    })
    await markMailSent(ctx, mail_id)
  } catch (error) {
    await markMailFailed(ctx, mail_id, (error as Error).message)
    throw error
  } finally {
    transport.close()
  }
}
