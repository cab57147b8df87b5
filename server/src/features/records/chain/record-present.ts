import type { EventSubject } from '@garantia/migrations/schema'
import { RECORDED_FIELDS, recordedValues } from '@garantia/shared/orders/recorded'
import { sql } from 'kysely'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'

/** People and orders of one transaction. */
const BATCH = 500

/**
 * Records the rights and credentials of all people, and the values of all orders, that there were before an update to
 * the version that records them (migration 0079). Each is recorded once, and what was recorded stays when it is
 * interrupted. Returns how many there were.
 */
export async function recordPresent(ctx: Ctx, signal?: AbortSignal) {
  const system: Ctx = { ...ctx, actor: { kind: 'system' } }
  const count = { people: 0, orders: 0 }
  for (let n = 1; n > 0; count.people += n) n = await inTransaction(system, recordPeople)
  for (let n = 1; n > 0; count.orders += n) {
    signal?.throwIfAborted()
    n = await inTransaction(system, recordOrders)
  }
  return count
}

/** Takes them out of the table. */
async function take(ctx: Ctx, subject: EventSubject) {
  const { rows } = await sql<{ id: number }>`
    delete from unrecorded where (subject, subject_id) in (
      select subject, subject_id from unrecorded where subject = ${subject} order by subject_id limit ${BATCH})
    returning subject_id as id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

async function recordPeople(ctx: Ctx) {
  const ids = await take(ctx, 'user')
  const people = await ctx.db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await recordEvents(
    ctx,
    people.map(({ id }) => ({ subject: 'user', subject_id: id, kind: 'account.recorded' })),
  )
  return ids.length
}

async function recordOrders(ctx: Ctx) {
  const ids = await take(ctx, 'order')
  const orders = await ctx.db
    .selectFrom('service_orders')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .select(['id', ...RECORDED_FIELDS])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await recordEvents(
    ctx,
    orders.map(({ id, ...order }) => ({
      subject: 'order',
      subject_id: id,
      kind: 'values.recorded',
      changes: recordedValues(order),
    })),
  )
  return ids.length
}

/** Queues that, where something waits to be recorded. */
export async function requestRecording(ctx: Ctx) {
  const waiting = await ctx.db.selectFrom('unrecorded').select('subject').limit(1).executeTakeFirst()
  if (waiting) await enqueue(ctx, 'record-present', {}, { key: 'record-present' })
}
