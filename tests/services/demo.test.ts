import { readOrder } from '@garantia/server/features/orders/order'
import { verifyChains } from '@garantia/server/features/records/chain'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { readDemo, removeDemo } from '@garantia/server/features/system/demo'
import { isCnpj, isCustomerDocument } from '@garantia/shared/br/tax-id'
import { correctedChassis, isChassis, isTypedPlate } from '@garantia/shared/br/vehicle'
import { NO_DEMO, REAL_DATA } from '@garantia/shared/demo/schema'
import { HASH_DISTANCE } from '@garantia/shared/evidence/warnings'
import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import { fill, ORDERS_PLANNED, planOrders, prepare } from '@garantia/worker/demo'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const PASSWORD = 'senha-da-demonstracao'
/** One order of each status; all two hundred take a few minutes. */
const ONE_EACH = ORDER_STATUSES.length

const adminUser = await testApp.make.user({ email: 'admin', is_superuser: true, role: 'admin' })
const boss = await testApp.as(adminUser)
const signIn = (username: string, password = PASSWORD) =>
  testApp.app.inject({
    method: 'POST',
    url: '/api/v1/login/access-token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
  })
const idOf = async (email: string) =>
  db.selectFrom('users').where('email', '=', email).select(['id', 'company_id']).executeTakeFirstOrThrow()
const neverAborted = () => new AbortController().signal

test('the plan has two hundred orders in every state, over months, with valid documents, plates and chassis', () => {
  const now = new Date('2026-11-21T18:00:00Z')
  const orders = planOrders(now)
  expect(orders).toHaveLength(ORDERS_PLANNED)
  expect(ORDERS_PLANNED).toBe(200)
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES))
  expect(new Set(orders.slice(0, ONE_EACH).map(({ status }) => status)).size).toBe(ONE_EACH)
  expect(new Set(orders.map(({ os_number }) => os_number)).size).toBe(200)
  expect(new Set(orders.map(({ brand }) => brand)).size).toBeGreaterThan(8)
  expect(new Set(orders.map(({ opened_at }) => opened_at.toISOString().slice(0, 7))).size).toBeGreaterThan(3)
  expect(new Set(orders.map(({ dealership }) => dealership)).size).toBeGreaterThan(5)
  for (const { opened_at, vehicle, customer } of orders) {
    expect(opened_at.getTime()).toBeLessThanOrEqual(now.getTime())
    expect([vehicle.vehicle_plate, isTypedPlate(vehicle.vehicle_plate)]).toEqual([
      vehicle.vehicle_plate,
      true,
    ])
    expect(isChassis(vehicle.vehicle_chassis) && correctedChassis(vehicle.vehicle_chassis) === null).toBe(
      true,
    )
    expect([customer.customer_document, isCustomerDocument(customer.customer_document)]).toEqual([
      customer.customer_document,
      true,
    ])
  }
  expect(planOrders(now)).toEqual(orders)
})

test('a database with data is refused, and nothing is written', async () => {
  const company = await testApp.make.company()
  await expect(prepare(ctx, PASSWORD)).rejects.toMatchObject({ code: 'conflict', detail: REAL_DATA })
  await db.deleteFrom('companies').where('id', '=', company.id).execute()
  const somebody = await testApp.make.user({ company_id: null })
  await expect(prepare(ctx, PASSWORD)).rejects.toMatchObject({ code: 'conflict' })
  await db.deleteFrom('users').where('id', '=', somebody.id).execute()
  expect(await readDemo(ctx)).toBeNull()
  expect((await testApp.anonymous.api('GET', '/utils/health-check')).headers['x-demonstration']).toBe('false')
  await expect(removeDemo(testApp.owner)).rejects.toMatchObject({ code: 'conflict', detail: NO_DEMO })
})

test('an empty one is filled by the use cases: every state, real media, events with their past timestamps', async () => {
  const demo = await prepare(ctx, PASSWORD)
  expect(demo.is_new).toBe(true)
  const planned = planOrders(demo.started_at).slice(0, ONE_EACH)
  await fill(ctx, planned, neverAborted())

  const orders = await db.selectFrom('service_orders').selectAll().execute()
  expect(orders.map(({ os_number, status }) => [os_number, status]).sort()).toEqual(
    planned.map(({ os_number, status }) => [os_number, status]).sort(),
  )
  const { rows: events } = await sql<{ subject_id: number; kind: string; at: Date; actor_name: string }>`
    select subject_id, kind, at, actor_name from events where subject = 'order' order by id`.execute(db)
  for (const order of orders) {
    const orderEvents = events.filter(({ subject_id }) => subject_id === order.id)
    expect(orderEvents[0]).toMatchObject({ kind: 'opened', at: order.opened_at })
    const times = orderEvents.map(({ at }) => at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now())
    if (order.completed_at) expect(order.completed_at > order.opened_at).toBe(true)
  }
  const ready = orders.find(({ status }) => status === 'ready')
  const files = await db
    .selectFrom('evidence_files')
    .where('order_id', '=', ready?.id ?? 0)
    .selectAll()
    .execute()
  expect(files.length).toBeGreaterThan(3)
  for (const file of files)
    expect([file.status, file.file_type === 'pdf' || file.preview_key]).toEqual([
      'converted',
      expect.anything(),
    ])
  expect(new Set(files.map(({ file_type }) => file_type))).toEqual(new Set(['image', 'video', 'pdf']))
  const dossiers = await db.selectFrom('dossiers').select(['status']).execute()
  expect(dossiers).toEqual([{ status: 'sealed' }])
  const { rows: queue } = await sql<{ task_identifier: string }>`
    select distinct task_identifier from graphile_worker.jobs`.execute(db)
  expect(queue).toEqual([{ task_identifier: 'convert-evidence' }])
  // One is converted immediately; the others keep the order in processing for visitors of the demonstration.
  const { rows: due } = await sql<{ is_due: boolean; files: number }>`
    select run_at <= now() as is_due, count(*)::int as files from graphile_worker.jobs group by 1 order by 1`.execute(
    db,
  )
  expect(due).toEqual([
    { is_due: false, files: expect.any(Number) },
    { is_due: true, files: 1 },
  ])
  const health = await testApp.anonymous.api('GET', '/utils/health-check')
  expect([health.json(), health.headers['x-demonstration']]).toEqual([true, 'true'])
  for (const { tax_id } of await db.selectFrom('companies').select('tax_id').execute())
    expect(isCnpj(tax_id)).toBe(true)
  expect(await db.selectFrom('companies').where('tax_id', '~', '[A-Z]').select('id').execute()).not.toEqual(
    [],
  )
}, 480_000)

test('photos of one vehicle do not match those of another (V13)', async () => {
  const { rows } = await sql<{ pairs: number; nearest: number }>`
    select count(*)::int as pairs, min(bit_count(a.perceptual_hash # b.perceptual_hash))::int as nearest
    from evidence_files a join evidence_files b on a.order_id < b.order_id`.execute(db)
  // How many orders have all their photos depends on the time of day: at least 150 pairs at any.
  expect(rows[0]?.pairs).toBeGreaterThan(100)
  expect(rows[0]?.nearest).toBeGreaterThan(HASH_DISTANCE)
})

test('its sums are exact, its chains and its files intact', async () => {
  const counted =
    await sql`select status::text, sum(orders)::int as orders from order_counts group by 1 order by 1`.execute(
      db,
    )
  const real =
    await sql`select status::text, count(*)::int as orders from service_orders group by 1 order by 1`.execute(
      db,
    )
  expect(counted.rows.filter((row) => (row as { orders: number }).orders > 0)).toEqual(real.rows)
  expect((await verifyChains(ctx)).faults).toEqual([])
  expect((await verifyStorage(ctx, { deep: true })).faults).toEqual([])
})

test('users of every role sign in with the same password, and see the orders of their scope', async () => {
  const orders = await db.selectFrom('service_orders').select(['id', 'company_id']).execute()
  for (const email of ['helena@demo.example', 'marcos@demo.example', 'rafael@demo.example']) {
    const answer = await signIn(email)
    expect([email, answer.statusCode]).toEqual([email, 200])
    const caller = await testApp.as(await idOf(email))
    const { actor } = caller.ctx
    const scope = actor.kind === 'user' ? actor.scope : []
    for (const { id, company_id } of orders) {
      const read = readOrder(caller.ctx, id)
      if (scope === 'all' || scope.includes(company_id)) expect((await read).id).toBe(id)
      else await expect(read).rejects.toMatchObject({ code: 'not_found' })
    }
    const me = (await caller.api('GET', '/users/me')).json()
    expect(me.is_demonstration).toBe(true)
  }
  expect((await signIn('helena@demo.example', 'outra-senha')).statusCode).toBe(400)
})

test('a second start keeps existing data, and restores nothing that was removed', async () => {
  const demo = await prepare(ctx, 'outra-senha-qualquer')
  expect(demo.is_new).toBe(false)
  expect(demo.filled_at).not.toBeNull()
  const [before, people] = [
    await readDemo(boss.ctx),
    await db.selectFrom('users').select('password_hash').execute(),
  ]
  await fill(ctx, planOrders(demo.started_at).slice(0, ONE_EACH), neverAborted())
  expect(await readDemo(boss.ctx)).toEqual(before)
  expect(await db.selectFrom('users').select('password_hash').execute()).toEqual(people)
  expect(before).toEqual({ orders: ONE_EACH, orders_planned: 200, is_filled: true })
})

test('an aborted filling leaves no partial order and no file without a row', async () => {
  const demo = await prepare(ctx, PASSWORD)
  const stop = new AbortController()
  const rest = planOrders(demo.started_at)
    .filter(({ status }) => status === 'ready')
    .slice(1)
  const before = (await testApp.filesOnDisk()).length
  const filling = fill(ctx, rest, stop.signal)
  await expect
    .poll(async () => (await testApp.filesOnDisk()).length, { timeout: 60_000 })
    .toBeGreaterThan(before + 3)
  stop.abort()
  await expect(filling).rejects.toThrow()
  expect((await verifyStorage(ctx, { deep: false })).faults).toEqual([])
}, 120_000)

test('it is removed with one command: rows, jobs and files; only users that existed before stay', async () => {
  await boss.api('POST', '/brands/initialize')
  const removed = await removeDemo(testApp.owner)
  expect(removed.orders).toBeGreaterThanOrEqual(ONE_EACH)
  expect(await testApp.filesOnDisk()).toEqual([])
  const { rows: tables } = await sql<{ tablename: string }>`select tablename from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%' and tablename not in ('users', 'events', 'worker_processes', 'schema_compatibility')`.execute(
    db,
  )
  expect(await db.selectFrom('events').select(['subject_id', 'kind']).execute()).toEqual([
    { subject_id: adminUser.id, kind: 'account.recorded' },
  ])
  expect((await verifyChains(ctx)).faults).toEqual([])
  expect(tables.length).toBeGreaterThan(15)
  for (const { tablename } of tables) {
    const { rows } = await sql`select * from ${sql.table(tablename)} limit 1`.execute(db)
    expect([tablename, rows]).toEqual([tablename, []])
  }
  expect((await sql`select 1 from graphile_worker.jobs`.execute(db)).rows).toEqual([])
  expect(await db.selectFrom('users').select(['id', 'email']).execute()).toEqual([
    { id: adminUser.id, email: 'admin' },
  ])
  expect((await signIn('admin', 'senha-de-teste')).statusCode).toBe(200)
  await expect(removeDemo(testApp.owner)).rejects.toMatchObject({ detail: NO_DEMO })
  expect((await prepare(ctx, PASSWORD)).is_new).toBe(true)
})
