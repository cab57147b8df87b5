import { isEmail } from '@garantia/shared/auth/schema'
import { counted, isoDay } from '@garantia/shared/format'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationText,
} from '@garantia/shared/notifications/schema'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { maySee } from '../../../kernel/person.ts'
import { composeEmail, enqueueEmail, shortened } from '../mail/service.ts'

const DAY_MS = 86_400_000
/** Lines of one mail. */
const LISTED = 15

/**
 * Mails to those who asked for it what they have not read and that happened within the last day; to others nothing. At
 * most one mail a day to each, however often it runs.
 * Names no customer. Returns the number of mails.
 */
export async function sendDigests(ctx: Ctx) {
  const since = new Date(ctx.clock().getTime() - DAY_MS)
  const people = await ctx.db
    .selectFrom('users')
    .where('wants_digest', '=', true)
    .where('is_active', '=', true)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notifications')
          .whereRef('notifications.user_id', '=', 'users.id')
          .where('read_at', 'is', null)
          .where('at', '>', since)
          .select(sql.lit(1).as('one')),
      ),
    )
    .select(['id', 'email', 'full_name'])
    .execute()
  let sent = 0
  for (const person of people) if (isEmail(person.email) && (await sendDigest(ctx, person, since))) sent++
  return sent
}

interface Recipient {
  id: number
  email: string
  full_name: string
}

function sendDigest(ctx: Ctx, { id, email, full_name }: Recipient, since: Date) {
  return inTransaction(ctx, async (ctx) => {
    const today = isoDay(ctx.clock())
    // With the mail in one transaction: a second worker waits here, and a mail that fails is not lost.
    const taken = await ctx.db
      .updateTable('users')
      .set({ digest_sent_on: today })
      .where('id', '=', id)
      .where(sql<boolean>`(digest_sent_on is null or digest_sent_on < ${today}::date)`)
      .returning('id')
      .executeTakeFirst()
    if (!taken) return false
    const rows = await ctx.db
      .selectFrom('notifications')
      .innerJoin('service_orders', 'service_orders.id', 'notifications.order_id')
      .innerJoin('users', 'users.id', 'notifications.user_id')
      .where(maySee(sql.ref('service_orders.company_id')))
      .where('user_id', '=', id)
      .where('read_at', 'is', null)
      .where('at', '>', since)
      .where('kind', 'in', NOTIFICATION_KINDS)
      .where('service_orders.deleted_at', 'is', null)
      .select(['kind', 'actor_name', 'os_number', 'times'])
      .orderBy('at', 'desc')
      .execute()
    if (rows.length === 0) return false
    const lines = rows
      .slice(0, LISTED)
      .map(({ kind, actor_name, ...row }) =>
        notificationText({ ...row, kind: kind as NotificationKind, actor_name: shortened(actor_name) }),
      )
    const rest = rows.length - lines.length
    if (rest > 0) lines.push(`E mais ${counted(rest, 'notificação', 'notificações')}.`)
    await enqueueEmail(
      ctx,
      composeEmail({
        recipient: email,
        name: full_name,
        subject: `resumo do dia, ${counted(rows.length, 'notificação', 'notificações')}`,
        text: 'Isto aconteceu no último dia e ainda não foi lido por você:',
        lines,
        button: { text: 'Abrir a Garantia', url: ctx.config.app_url },
        note: 'Você recebe este resumo porque o pediu em Configurações. Lá também pode desligá-lo.',
      }),
    )
    return true
  })
}
