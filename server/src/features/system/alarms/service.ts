import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { composeEmail, messageIdOf } from '../../people/mail/service.ts'
import { problemsOf, readWork } from '../work-state/service.ts'

/** A problem that lasts for so long is told; a restart is none. */
const LASTS_SECONDS = 300
const SMTP_TIMEOUT_MS = 20_000
/** Two servers must not tell the same twice. */
const LOCK = 7_201_020

/**
 * Tells superusers by mail of problems of workers, queue and disk that have lasted for five minutes, once each until it
 * is over. The server sends these mails itself, as without a worker nobody else would. Returns how many went out.
 */
export async function tellAlarms(ctx: Ctx) {
  const problems = problemsOf(await readWork(ctx), ctx.clock())
  const mails = await inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(ctx.db)
    const kinds = problems.map(({ kind }) => kind)
    await ctx.db
      .deleteFrom('work_alarms')
      .$if(kinds.length > 0, (query) => query.where('kind', 'not in', kinds))
      .execute()
    if (problems.length === 0) return []
    const now = ctx.clock()
    await ctx.db
      .insertInto('work_alarms')
      .values(problems.map(({ kind }) => ({ kind, since: now })))
      .onConflict((row) => row.doNothing())
      .execute()
    const due = await ctx.db
      .updateTable('work_alarms')
      .set({ told_at: now })
      .where('told_at', 'is', null)
      .where('since', '<=', new Date(now.getTime() - LASTS_SECONDS * 1_000))
      .returning('kind')
      .execute()
    const said = problems.filter(({ kind }) => due.some((row) => row.kind === kind)).map(({ text }) => text)
    if (said.length === 0) return []
    const people = await ctx.db
      .selectFrom('users')
      .where('is_superuser', '=', true)
      .where('is_active', '=', true)
      .where('email', 'like', '%@%')
      .select(['email', 'full_name'])
      .execute()
    if (people.length === 0) return []
    return ctx.db
      .insertInto('mails')
      .values(
        people.map(({ email, full_name }) =>
          composeEmail({
            recipient: email,
            name: full_name,
            subject: 'problema no funcionamento',
            text: said.join(' '),
            button: { text: 'Abrir o Garantia', url: ctx.config.app_url },
            note: 'O operador vê a causa e o que fazer com: npm run worker -- doutor',
          }),
        ),
      )
      .returning(['id', 'created_at', 'recipient', 'subject', 'body', 'html'])
      .execute()
  })
  const { SMTP_URL, MAIL_FROM } = ctx.config
  // Without a mail server superusers read them in the outbox.
  if (!SMTP_URL || mails.length === 0) return mails.length
  const timeouts = {
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url: SMTP_URL, ...timeouts })
  try {
    for (const { id, created_at, recipient, subject, body, html } of mails) {
      const messageId = messageIdOf(ctx.config, { id, created_at })
      await transport.sendMail({ from: MAIL_FROM, to: recipient, subject, text: body, html, messageId })
      await ctx.db.updateTable('mails').set({ sent_at: ctx.clock() }).where('id', '=', id).execute()
    }
  } finally {
    transport.close()
  }
  return mails.length
}
