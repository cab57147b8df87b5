import { isEmail } from '@garantia/shared/auth/schema'
import { counted, dateTime, isoDay } from '@garantia/shared/format'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationText,
} from '@garantia/shared/notifications/schema'
import type { Person } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { findActivePerson, maySee } from '../../../kernel/person.ts'
import { composeEmail, enqueueEmail, shortened } from '../mail/service.ts'

const DAY_MS = 86_400_000
/** Lines of one mail. */
const LISTED = 15

/** What is due for a person, from a layer above; null for nothing. */
export type DeadlinesOf = (ctx: Ctx, person: Person) => Promise<Part | null>
interface Part {
  total: number
  lines: readonly string[]
}
/** Of the layers above. */
interface Above {
  deadlinesOf?: DeadlinesOf
  /** The newest entry of the trail's journal: a copy of its sum outside of the house. */
  anchor?: { n: number; at: string; sha256: string } | null
}

/**
 * Mails to each person what they have asked for: what they have not read and that happened within the last day, and on
 * working days what is due; to others nothing. At most one mail a day to each, however often it runs.
 * Names no customer. Returns the number of mails.
 */
export async function sendDigests(ctx: Ctx, { deadlinesOf = async () => null, anchor = null }: Above = {}) {
  const since = new Date(ctx.clock().getTime() - DAY_MS)
  const isWorking = isWorkingDay(ctx.clock())
  const people = await ctx.db
    .selectFrom('users')
    .where('is_active', '=', true)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('wants_digest', '=', true),
          eb.exists(
            eb
              .selectFrom('notifications')
              .whereRef('notifications.user_id', '=', 'users.id')
              .where('read_at', 'is', null)
              .where('at', '>', since)
              .select(sql.lit(1).as('one')),
          ),
        ]),
        eb.and([eb('wants_deadline_mail', '=', true), sql<boolean>`${isWorking}::boolean`]),
      ]),
    )
    .select(['id', 'email', 'full_name', 'wants_digest', 'wants_deadline_mail'])
    .execute()
  let sent = 0
  for (const person of people) {
    if (!isEmail(person.email)) continue
    const wanted = { ...person, wants_deadline_mail: person.wants_deadline_mail && isWorking }
    if (await sendDigest(ctx, wanted, since, { deadlinesOf, anchor })) sent++
  }
  return sent
}

/** Monday to Friday in Brasília; a mail on a holiday says nothing wrong. */
const isWorkingDay = (at: Date) => {
  const day = new Date(`${isoDay(at)}T00:00:00Z`).getUTCDay()
  return day > 0 && day < 6
}

const WHY_DEADLINES =
  'Você recebe os prazos em dias úteis, e as notificações se as pediu. Em Configurações pode desligar cada um.'
const WHY_UNREAD = 'Você recebe este resumo porque o pediu em Configurações. Lá também pode desligá-lo.'
const anchorText = ({ n, at, sha256 }: NonNullable<Above['anchor']>) =>
  `Guarde este e-mail: ele comprova a trilha de auditoria até ${dateTime(at)} (registro ${n}, SHA-256 ${sha256}).`

interface Recipient {
  id: number
  email: string
  full_name: string
  wants_digest: boolean
  wants_deadline_mail: boolean
}

function sendDigest(ctx: Ctx, recipient: Recipient, since: Date, { deadlinesOf, anchor }: Required<Above>) {
  return inTransaction(ctx, async (ctx) => {
    const { id, email, full_name } = recipient
    const unread = recipient.wants_digest ? await unreadOf(ctx, id, since) : null
    const person = recipient.wants_deadline_mail ? await findActivePerson(ctx.db, id) : null
    const due = person && (await deadlinesOf(ctx, person))
    if (!unread && !due) return false
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
    const subjects = [
      ...(unread ? [counted(unread.total, 'notificação', 'notificações')] : []),
      ...(due ? [counted(due.total, 'prazo', 'prazos')] : []),
    ]
    const parts = [
      ...(due ? [{ text: 'Isto venceu ou vence nos próximos dias:', lines: due.lines }] : []),
      ...(unread
        ? [{ text: 'Isto aconteceu no último dia e ainda não foi lido por você:', lines: unread.lines }]
        : []),
    ] as const
    const [first, also] = parts
    if (!first) return false
    await enqueueEmail(
      ctx,
      composeEmail({
        recipient: email,
        name: full_name,
        subject: `resumo do dia, ${subjects.join(' e ')}`,
        ...first,
        also,
        button: { text: 'Abrir a Garantia', url: ctx.config.app_url },
        note: `${due ? WHY_DEADLINES : WHY_UNREAD}${anchor ? ` ${anchorText(anchor)}` : ''}`,
      }),
    )
    return true
  })
}

async function unreadOf(ctx: Ctx, user_id: number, since: Date): Promise<Part | null> {
  const rows = await ctx.db
    .selectFrom('notifications')
    .innerJoin('service_orders', 'service_orders.id', 'notifications.order_id')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .where(maySee(sql.ref('service_orders.company_id')))
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .where('at', '>', since)
    .where('kind', 'in', NOTIFICATION_KINDS)
    .where('service_orders.deleted_at', 'is', null)
    .select(['kind', 'actor_name', 'os_number', 'times'])
    .orderBy('at', 'desc')
    .execute()
  if (rows.length === 0) return null
  const lines = rows
    .slice(0, LISTED)
    .map(({ kind, actor_name, ...row }) =>
      notificationText({ ...row, kind: kind as NotificationKind, actor_name: shortened(actor_name) }),
    )
  const rest = rows.length - lines.length
  if (rest > 0) lines.push(`E mais ${counted(rest, 'notificação', 'notificações')}.`)
  return { total: rows.length, lines }
}
