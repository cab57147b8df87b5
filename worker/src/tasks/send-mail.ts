import { noteMailFailed } from '@garantia/server/features/claims/claim'
import {
  type Attachment,
  isForgotten,
  markMailFailed,
  markMailSent,
  messageIdOf,
  unsentMail,
} from '@garantia/server/features/people/mail'
import { createTransport } from 'nodemailer'
import type { Job } from '../task.ts'

const SMTP_TIMEOUT_MS = 20_000
const FORGOTTEN = 'Esperou mais de duas horas na fila, e o texto já não existia.'

/** Sends a queued mail over SMTP; on an error the job is retried, with growing delays, and at last a claim is told. */
export const sendMail: Job<'send-mail'> = async (ctx, { mail_id }, { lastTry }) => {
  const mail = await unsentMail(ctx, mail_id)
  const { SMTP_URL, MAIL_FROM } = ctx.config
  if (!mail || !SMTP_URL) return
  // It waited for longer than texts are kept: without its text it would say nothing to anybody.
  if (isForgotten(mail)) {
    await markMailFailed(ctx, mail_id, FORGOTTEN)
    await noteMailFailed(ctx, mail_id)
    return
  }
  const attachment = mail.attachment as Attachment | null
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
      ...(attachment && {
        attachments: [
          {
            filename: attachment.filename,
            contentType: attachment.mime,
            content: await ctx.storage.read(attachment.key),
          },
        ],
      }),
    })
    await markMailSent(ctx, mail_id)
  } catch (error) {
    await markMailFailed(ctx, mail_id, (error as Error).message)
    if (lastTry) await noteMailFailed(ctx, mail_id)
    throw error
  } finally {
    transport.close()
  }
}
