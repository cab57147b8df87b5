import { createHash, randomBytes } from 'node:crypto'
import { type CalendarFeed, type DeadlineRow, DUE_KIND, daysAfter } from '@garantia/shared/claims/deadlines'
import { notFound } from '@garantia/shared/errors'
import { isoDay } from '@garantia/shared/format'
import { authorize, type Person } from '@garantia/shared/policy'
import ical from 'ical-generator'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { networkOf } from '../../../kernel/origin.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { lockCaller } from '../../people/users/service.ts'
import { listDeadlines } from './list.ts'

const TOKEN_BYTES = 32
const HOUR = 3_600
/** Programs ask for a calendar a few times an hour, on each device of its person. */
const READS_PER_HOUR = 60
const UNKNOWN_PER_HOUR = 30
const NEW_PER_HOUR = 20
const MOST_EVENTS = 500
const AHEAD_DAYS = 366
/** `last_used_at` is written at most once a minute. */
const USE_NOTED_MS = 60_000

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The caller; 401 for an anonymous one, 403 for an API token. */
function owner({ actor }: Ctx): Person {
  authorize(actor, 'calendar.manage')
  return actor as Person
}

/** Whether the caller has a calendar, and when it was read last; its address was shown once. */
export async function readCalendar(ctx: Ctx): Promise<CalendarFeed> {
  const { id } = owner(ctx)
  const feed = await ctx.db
    .selectFrom('calendar_feeds')
    .where('user_id', '=', id)
    .select(['created_at', 'last_used_at'])
    .executeTakeFirst()
  return {
    address: null,
    created_at: feed?.created_at.toISOString() ?? null,
    last_used_at: feed?.last_used_at?.toISOString() ?? null,
  }
}

/**
 * Replaces the address of the caller's calendar. The new one is returned only here. 403 with an API token or without a
 * recent sign-in.
 */
export async function newCalendar(ctx: Ctx): Promise<CalendarFeed> {
  const { id: user_id } = owner(ctx)
  authorize(ctx.actor, 'calendar.open')
  await throttle(ctx, { bucket: `calendars|${user_id}`, hits: NEW_PER_HOUR, window_seconds: HOUR })
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const created_at = ctx.clock()
  await inTransaction(ctx, async (ctx) => {
    await lockCaller(ctx)
    const feed = { token_hash: hashOf(token), created_at, last_used_at: null }
    await ctx.db
      .insertInto('calendar_feeds')
      .values({ user_id, ...feed })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(feed))
      .execute()
    await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'calendar.opened' })
  })
  return {
    address: `${ctx.config.app_url}/api/v1/calendar/${token}.ics`,
    created_at: created_at.toISOString(),
    last_used_at: null,
  }
}

/** Ends the caller's calendar: its address is 404 from now on. Safe to repeat. */
export async function revokeCalendar(ctx: Ctx): Promise<CalendarFeed> {
  const { id: user_id } = owner(ctx)
  await inTransaction(ctx, async (ctx) => {
    const ended = await ctx.db
      .deleteFrom('calendar_feeds')
      .where('user_id', '=', user_id)
      .returning('user_id')
      .executeTakeFirst()
    if (ended) await recordEvent(ctx, { subject: 'user', subject_id: user_id, kind: 'calendar.revoked' })
  })
  return { address: null, created_at: null, last_used_at: null }
}

const MISSING = 'Calendário não encontrado'

/**
 * What is due for the person of a secret address, within the scope they have now, as iCalendar. It names orders, brands
 * and companies, and no customer. 404 when the address is unknown or revoked, or its person inactive; 429 after 60 in
 * an hour.
 */
export async function calendarOf(ctx: Ctx, address: string): Promise<string> {
  const token_hash = hashOf(address.replace(/\.ics$/, ''))
  const feed = await ctx.db
    .selectFrom('calendar_feeds')
    .where('token_hash', '=', token_hash)
    .select(['user_id', 'last_used_at'])
    .executeTakeFirst()
  await throttle(
    ctx,
    feed
      ? { bucket: `calendar|${feed.user_id}`, hits: READS_PER_HOUR, window_seconds: HOUR }
      : {
          bucket: `calendar-unknown|${networkOf(ctx.origin?.ip ?? null)}`,
          hits: UNKNOWN_PER_HOUR,
          window_seconds: HOUR,
        },
  )
  const person = feed ? await findActivePerson(ctx.db, feed.user_id) : null
  if (!feed || !person) throw notFound(MISSING)
  const now = ctx.clock()
  if (!feed.last_used_at || now.getTime() - feed.last_used_at.getTime() > USE_NOTED_MS)
    await ctx.db
      .updateTable('calendar_feeds')
      .set({ last_used_at: now })
      .where('user_id', '=', feed.user_id)
      .execute()
  const until = daysAfter(isoDay(now), AHEAD_DAYS)
  const { items } = await listDeadlines({ ...ctx, actor: person }, { until, limit: MOST_EVENTS })
  return calendarText(ctx, items)
}

function calendarText(ctx: Ctx, rows: readonly DeadlineRow[]) {
  const { app_url } = ctx.config
  const calendar = ical({
    name: 'Garantia: prazos',
    prodId: { company: 'Garantia', product: 'Prazos', language: 'PT' },
    ttl: HOUR,
  })
  for (const row of rows)
    calendar.createEvent({
      id: `${[row.kind, row.order_id, row.claim_id ?? 0, row.part_id ?? 0].join('-')}@${new URL(app_url).hostname}`,
      // A day without a time: it is the same day wherever the calendar is read.
      start: new Date(`${row.due_on}T00:00:00Z`),
      allDay: true,
      stamp: ctx.clock(),
      summary: `${row.is_overdue ? 'Vencido: ' : ''}OS ${row.os_number}: ${DUE_KIND[row.kind]}`,
      description: [row.brand.display_name, row.company.trading_name, row.responsible_name]
        .filter(Boolean)
        .join(' · '),
      url: `${app_url}/os/${row.order_id}`,
    })
  return calendar.toString()
}
