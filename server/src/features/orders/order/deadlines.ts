import { date, daysBefore, isoDay, TIME_ZONE } from '@garantia/shared/format'
import type { DeadlineKind } from '@garantia/shared/notifications/schema'
import { DEADLINE_NOTICE_DAYS, LEGAL_DAYS, OPEN_STATUSES } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { maySee } from '../../../kernel/person.ts'
import { tell } from '../../people/notifications/service.ts'

/** Orders of one transaction. */
const BATCH = 500
/** Days after which an order that is overdue is no news: what an import brings, or a worker that was away. */
const STALE_DAYS = 7
const DAY_MS = 86_400_000

interface Due {
  order_id: number
  kind: DeadlineKind
}
/** An open order that is linked to other visits for its defect, with the day on which they reach the limit together. */
export interface LinkedLimit {
  order_id: number
  due_on: string
}

/**
 * Tells the responsible person, else the managers of the company, else those of its matriz, of open orders whose legal
 * deadline is at most three days away or has passed within the last week: once each, in however many workers it runs.
 * Orders with visits of their own are those of `linked`, whose days add up. Returns the number of orders.
 */
export async function tellDeadlines(ctx: Ctx, linked: readonly LinkedLimit[] = []) {
  let told = 0
  for (const kind of ['deadline.near', 'deadline.overdue'] as const) {
    let taken: number
    do {
      taken = await inTransaction(ctx, async (ctx) => {
        const due = await takeDue(ctx, kind, linked)
        await tell(ctx, await noticesOf(ctx, due, linked))
        return due.length
      })
      told += taken
    } while (taken === BATCH)
  }
  return told
}

/** Notes orders as told; another worker that is about to tell the same waits, and finds them noted. */
async function takeDue(ctx: Ctx, kind: DeadlineKind, linked: readonly LinkedLimit[]): Promise<Due[]> {
  const [from, until] =
    kind === 'deadline.near'
      ? [LEGAL_DAYS - 1, LEGAL_DAYS - DEADLINE_NOTICE_DAYS]
      : [LEGAL_DAYS + STALE_DAYS, LEGAL_DAYS]
  const today = isoDay(ctx.clock())
  const [first, last] = [daysBefore(today, from), daysBefore(today, until)]
  // So many days from the opening to today, or from the limit, are the same.
  const reached = linked
    .filter(({ due_on }) => {
      const begun = daysBefore(due_on, LEGAL_DAYS)
      return first <= begun && begun <= last
    })
    .map(({ order_id }) => order_id)
  const due = ctx.db
    .selectFrom('service_orders')
    .where('deleted_at', 'is', null)
    .where('status', 'in', OPEN_STATUSES)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deadline_notices')
            .whereRef('deadline_notices.order_id', '=', 'service_orders.id')
            .where('deadline_notices.kind', '=', kind)
            .select(sql.lit(1).as('one')),
        ),
      ),
    )
    .orderBy('id')
    .limit(sql.lit(BATCH))
  // Each by its index, which `or` would hide.
  const alone = await due
    .where(sql<boolean>`opened_at >= (${first}::timestamp at time zone ${sql.lit(TIME_ZONE)})`)
    .where(
      sql<boolean>`opened_at < ((${last}::timestamp + interval '1 day') at time zone ${sql.lit(TIME_ZONE)})`,
    )
    .where(
      sql<boolean>`not exists (select from defect_visits where defect_visits.order_id = service_orders.id)`,
    )
    .select('id')
    .execute()
  const together =
    reached.length === 0
      ? []
      : await due.where(sql<boolean>`service_orders.id = any(${reached}::bigint[])`).select('id').execute()
  const rows = [...alone, ...together].slice(0, BATCH)
  if (rows.length === 0) return []
  const noted = await ctx.db
    .insertInto('deadline_notices')
    .values(rows.map(({ id }) => ({ order_id: id, kind, at: ctx.clock() })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .execute()
  return noted.map(({ order_id }) => ({ order_id, kind }))
}

async function noticesOf(ctx: Ctx, due: readonly Due[], linked: readonly LinkedLimit[]) {
  if (due.length === 0) return []
  const { rows } = await recipientsOf(due.map(({ order_id }) => order_id)).execute(ctx.db)
  const limits = new Map(linked.map((one) => [one.order_id, one.due_on.split('-').reverse().join('/')]))
  const [{ kind } = { kind: 'deadline.near' as const }] = due
  return rows.map(({ user_id, order_id, opened_at }) => ({
    user_id,
    order_id,
    kind,
    text: `Prazo: ${limits.get(order_id) ?? date(new Date(opened_at.getTime() + LEGAL_DAYS * DAY_MS))}`,
  }))
}

interface Recipient {
  order_id: number
  user_id: number
  opened_at: Date
}
const recipientsOf = (ids: readonly number[]) => sql<Recipient>`
  with ranked as (
    select orders.id as order_id, orders.opened_at, users.id as user_id,
      case
        when users.id = orders.responsible_user_id then 1
        when users.company_id = orders.company_id then 2
        else 3
      end as place
    from service_orders orders
    join users on users.is_active and ${maySee(sql.ref('orders.company_id'))}
      and (users.id = orders.responsible_user_id or (users.role = 'manager'))
    where orders.id = any(${[...ids]}::bigint[])
  )
  select order_id, user_id, opened_at from ranked
  where place = (select min(place) from ranked first where first.order_id = ranked.order_id)`
