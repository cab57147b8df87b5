import {
  NOTIFICATION_KINDS,
  type NotificationFilter,
  type NotificationKind,
  type NotificationPage,
} from '@garantia/shared/notifications/schema'
import { UNREAD_MAX } from '@garantia/shared/notifications/unread'
import { authorize, type Person } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'

export { sendDigests } from './digest.ts'

const PAGE = 20
/** Months after which a notification is forgotten, read or not. */
const KEPT_MONTHS = 6
/** Enough to be recognised; the whole text is with the order. */
const TEXT_MAX = 200

/** Whole characters: half of an emoji is no text that PostgreSQL stores. */
const beginningOf = (text: string) => [...text].slice(0, TEXT_MAX).join('')

interface Notice {
  kind: NotificationKind
  order_id: number
  text?: string | null | undefined
  /** Of how many events, 1 by default. */
  times?: number
}

/**
 * Tells active people of something, in the caller's transaction; never the one who did it. What a person has not read
 * yet is counted instead of repeated.
 */
export function notify(ctx: Ctx, people: readonly (number | null)[], notice: Notice) {
  const told = [...new Set(people.filter((id) => id !== null))]
  return tell(
    ctx,
    told.map((user_id) => ({ user_id, ...notice })),
  )
}

/** The same for many notices, each to one person, in one statement. */
export async function tell(ctx: Ctx, notices: readonly (Notice & { user_id: number })[]) {
  const { actor } = ctx
  const self = actor.kind === 'user' ? actor.id : null
  const told = notices
    .filter(({ user_id }) => user_id !== self)
    .map(({ text, times = 1, ...one }) => ({ ...one, times, text: text ? beginningOf(text) : null }))
  if (told.length === 0) return
  await sql`
    insert into notifications (user_id, order_id, kind, actor_name, details, at, times)
      select told.user_id, told.order_id, told.kind, ${actor.kind === 'user' ? actor.name : 'Sistema'},
          jsonb_build_object('text', told.text), ${ctx.clock()}, told.times
        from jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
          as told (user_id bigint, order_id bigint, kind text, text text, times integer)
        join users on users.id = told.user_id and users.is_active
    on conflict (user_id, order_id, kind) where read_at is null do update
      set times = notifications.times + excluded.times, at = excluded.at, actor_name = excluded.actor_name,
        details = excluded.details`.execute(ctx.db)
}

/** The caller's notifications of orders that they may still read. */
const visible = (ctx: Ctx, { id }: Person) =>
  ctx.db
    .selectFrom('notifications')
    .innerJoin('service_orders', 'service_orders.id', 'notifications.order_id')
    .where('user_id', '=', id)
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))

/** The caller; 401 for an anonymous one, 403 for an API token. */
function reader({ actor }: Ctx): Person {
  authorize(actor, 'notification.read')
  return actor as Person
}

/** The caller's newest notifications. */
export async function listNotifications(
  ctx: Ctx,
  { limit = PAGE }: NotificationFilter,
): Promise<NotificationPage> {
  const rows = await visible(ctx, reader(ctx))
    .where('kind', 'in', NOTIFICATION_KINDS)
    .select([
      'notifications.id',
      'kind',
      'order_id',
      'os_number',
      'actor_name',
      'details',
      'times',
      'at',
      'read_at',
    ])
    .orderBy('notifications.at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(sql.lit(limit + 1))
    .execute()
  return {
    notifications: rows.slice(0, limit).map(({ details, read_at, at, kind, ...row }) => ({
      ...row,
      kind: kind as NotificationKind,
      text: (details as { text: string | null }).text,
      at: at.toISOString(),
      is_read: read_at !== null,
    })),
    has_more: rows.length > limit,
  }
}

/** How many the caller has not read; counted up to one more than `UNREAD_MAX`. */
export async function countUnread(ctx: Ctx) {
  const person = reader(ctx)
  const { unread } = await ctx.db
    .selectFrom(
      visible(ctx, person)
        .where('read_at', 'is', null)
        .where('kind', 'in', NOTIFICATION_KINDS)
        .select('notifications.id')
        .limit(sql.lit(UNREAD_MAX + 1))
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return { unread }
}

/** Marks the given ones, or all, as read. */
export async function markRead(ctx: Ctx, ids?: readonly number[]) {
  const { id: user_id } = reader(ctx)
  await ctx.db
    .updateTable('notifications')
    .set({ read_at: ctx.clock() })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(ids ?? [])]}::bigint[])`))
    .execute()
  return countUnread(ctx)
}

const CHOSEN = ['wants_digest', 'wants_deadline_mail'] as const

/** Whether the caller's daily mail has what they have not read, and what is due. */
export async function readDigestChoice(ctx: Ctx) {
  const { id } = reader(ctx)
  return ctx.db.selectFrom('users').where('id', '=', id).select(CHOSEN).executeTakeFirstOrThrow()
}
export const chooseDigest = (ctx: Ctx, wants_digest: boolean) => choose(ctx, { wants_digest })
export const chooseDeadlineMail = (ctx: Ctx, wants_deadline_mail: boolean) =>
  choose(ctx, { wants_deadline_mail })

async function choose(ctx: Ctx, chosen: { wants_digest: boolean } | { wants_deadline_mail: boolean }) {
  const { id } = reader(ctx)
  return ctx.db
    .updateTable('users')
    .set(chosen)
    .where('id', '=', id)
    .returning(CHOSEN)
    .executeTakeFirstOrThrow()
}

/** Deletes notifications older than six months. */
export async function forgetOldNotifications(ctx: Ctx) {
  const before = ctx.clock()
  before.setUTCMonth(before.getUTCMonth() - KEPT_MONTHS)
  await ctx.db.deleteFrom('notifications').where('at', '<', before).execute()
}
