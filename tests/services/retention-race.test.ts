import { applyRetention, holdOrder } from '@garantia/server/features/records/retention'
import type { Ctx } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const boss = await testApp.as(await testApp.make.user({ role: 'admin' }))

const DAY = 86_400_000
/** A day on which the grace that follows a new retention period is over. */
const later: Ctx = { ...ctx, clock: () => new Date(Date.now() + 40 * DAY) }

beforeEach(async () => {
  await db.deleteFrom('evidence_files').execute()
  await db.deleteFrom('service_orders').execute()
})

async function expiredOrder(daysAgo: number) {
  const { id: brand_id } = await testApp.make.brand({ storage_retention_months: 1 })
  const completed_at = new Date(Date.now() - daysAgo * DAY)
  const order = await testApp.make.order({ brand_id, status: 'completed', completed_at })
  return { order_id: order.id, file: await testApp.make.converted({ order_id: order.id }) }
}
const fileOf = (id: number) =>
  db.selectFrom('evidence_files').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const isStored = async (key: string | null) => (await ctx.storage.size(key ?? '')) !== null

async function isKept({ order_id, file }: Awaited<ReturnType<typeof expiredOrder>>) {
  const events = await db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .where('kind', '=', 'evidence.expired')
    .selectAll()
    .execute()
  expect(events).toEqual([])
  expect(await fileOf(file.id)).toMatchObject({ purged_at: null })
  expect([await isStored(file.original_key), await isStored(file.converted_key)]).toEqual([true, true])
}

test('an order put under legal hold while the retention of another is applied keeps its media (D-47)', async () => {
  const first = await expiredOrder(90)
  const second = await expiredOrder(80)
  let isHeld = false
  const storage = {
    ...ctx.storage,
    async remove(key: string) {
      if (!isHeld) await holdOrder(boss.ctx, second.order_id, 'Processo 123')
      isHeld = true
      await ctx.storage.remove(key)
    },
  }
  expect(await applyRetention({ ...later, storage })).toMatchObject({ orders: 2, files: 2 })
  expect([isHeld, await isStored(first.file.original_key)]).toEqual([true, false])
  await isKept(second)
})

test('retention waits for a legal hold that is being recorded, and then keeps the media (D-47)', async () => {
  const order = await expiredOrder(90)
  let applied: Promise<unknown> | undefined
  await db.transaction().execute(async (db) => {
    await holdOrder({ ...boss.ctx, db }, order.order_id, 'Processo 123')
    applied = applyRetention(later)
    await expect.poll(waitingForLocks).toBe(1)
  })
  await applied
  await isKept(order)
})

async function waitingForLocks() {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting
}
