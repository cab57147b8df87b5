import { setCustomerRetention, switchCustomerRetention } from '@garantia/server/features/records/compliance'
import { applyCustomerRetention } from '@garantia/server/features/records/privacy'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
const { make } = testApp
const boss = (await testApp.as(await make.user({ is_superuser: true }))).ctx
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

const ENDED = new Date('2026-01-10T12:00:00Z')
/** The house at this moment. */
const at = (moment: string) => ({ ...ctx, clock: () => new Date(moment) })
const closed = { status: 'completed', completed_at: ENDED } as const
const nameOf = async (id: number) =>
  (
    await ctx.db
      .selectFrom('service_orders')
      .where('id', '=', id)
      .select('customer_name')
      .executeTakeFirstOrThrow()
  ).customer_name
const underWay = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from privacy_requests where status in ('queued', 'running')`.execute(ctx.db)
  return rows[0]?.n
}

test('customers are anonymised when their time is over and it is switched on, and nobody before (D-87)', async () => {
  const brand = await make.brand({ storage_retention_months: 120 })
  const person = { customer_name: 'Aurélio Bastos', customer_document: '52998224725' }
  const [one, two] = [await make.order({ ...closed, ...person }), await make.order({ ...closed, ...person })]
  const other = { customer_name: 'Belmira Antunes', customer_phone: '11987650055' }
  const third = await make.order({ ...closed, ...other })
  const newer = await make.order({
    ...other,
    status: 'completed',
    completed_at: new Date('2030-01-10T12:00:00Z'),
  })
  const kept = [
    await make.order({ ...closed, ...person, legal_hold_at: new Date(), legal_hold_reason: 'Processo' }),
    await make.order({ ...closed, ...person, brand_id: brand.id }),
    newer,
  ]
  const before = new Map(await Promise.all(kept.map(async ({ id }) => [id, await nameOf(id)] as const)))
  await ctx.db
    .insertInto('mails')
    .values([
      { recipient: 'a@b.co', subject: 'OS', html: '', body: 'Belmira Antunes' },
      { recipient: 'a@b.co', subject: 'OS', html: '', body: 'Nada' },
    ])
    .execute()

  // Due, and switched off.
  expect(await applyCustomerRetention(at('2031-01-11T12:00:00Z'))).toEqual({ customers: 0, orders: 0 })
  await setCustomerRetention(boss, { months: 60 })
  await switchCustomerRetention(boss, { months: 60, is_applied: true })
  expect(await applyCustomerRetention(at('2031-01-10T11:59:59Z'))).toEqual({ customers: 0, orders: 0 })
  expect(await applyCustomerRetention(at('2031-01-10T12:00:01Z'))).toEqual({ customers: 2, orders: 3 })
  await expect.poll(underWay).toBe(0)

  expect(await nameOf(one.id)).toMatch(/^Titular [0-9a-f]{12}$/)
  expect(await nameOf(two.id)).toBe(await nameOf(one.id))
  expect(await nameOf(third.id)).toMatch(/^Titular /)
  for (const [id, name] of before) expect(await nameOf(id)).toBe(name)
  const requests = await ctx.db
    .selectFrom('privacy_requests')
    .orderBy('id')
    .select(['status', 'actor_name', 'reason', 'orders'])
    .execute()
  const about = { status: 'done', actor_name: 'Sistema', reason: 'Prazo de guarda de 60 meses encerrado' }
  expect(requests).toEqual([
    { ...about, orders: [one.id, two.id] },
    { ...about, orders: [third.id] },
  ])
  // Belmira has an order within the time, whose mails these may be.
  expect((await ctx.db.selectFrom('mails').select('id').execute()).length).toBe(2)

  // The next night has nothing left.
  expect(await applyCustomerRetention(at('2031-01-11T12:00:00Z'))).toEqual({ customers: 0, orders: 0 })
})
