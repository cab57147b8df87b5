import { MIGRATIONS } from '@garantia/migrations'
import type { DB } from '@garantia/migrations/schema'
import { readMetrics } from '@garantia/server/features/orders/dashboard'
import { summarizeOrders } from '@garantia/server/features/orders/list'
import { ORDER_STATUSES, type OrderStatus } from '@garantia/shared/orders/status'
import fc from 'fast-check'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { countedByHand } from './metrics.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const WRITERS = 8
const pool = new pg.Pool({ connectionString: testApp.owner_url, max: WRITERS })
pool.on('error', () => undefined)
const writers = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
afterAll(() => writers.destroy())

const NOW = new Date('2026-03-15T12:00:00-03:00')
const brands = [
  (await testApp.make.brand({ display_name: 'Fiat' })).id,
  (await testApp.make.brand({ display_name: 'Ford' })).id,
]
const matriz = await testApp.make.company()
const alone = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: matriz.id })
const companies = [matriz.id, filial.id, alone.id]
const viewers = {
  all: await testApp.as(await testApp.make.user({ is_superuser: true })),
  tree: await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id })),
  filial: await testApp.as(await testApp.make.user({ company_id: filial.id })),
  alone: await testApp.as(await testApp.make.user({ role: 'manager', company_id: alone.id })),
}

const state = fc.record({
  status: fc.constantFrom(...ORDER_STATUSES),
  brand_id: fc.constantFrom(...brands),
  company_id: fc.constantFrom(...companies),
  service_value: fc.option(fc.integer({ min: 0, max: 99_999_999_999 }).map((cents) => cents / 100)),
  parts_value: fc.option(fc.constantFrom(0.01, 0.1, 1234.35, 999_999_999.99)),
  customer_document: fc.option(fc.constantFrom('52998224725', '11222333000181', '12ABC34501DE35')),
  customer_name: fc.option(fc.constantFrom('José da Silva', ' JOSE  da silva', 'Ávila')),
  customer_phone: fc.option(fc.constantFrom('(11) 98765-4321', '11987654321')),
  opened_at: fc
    .integer({ min: 0, max: 100 * 24 })
    .map((hours) => new Date(NOW.getTime() - hours * 3_600_000)),
  is_deleted: fc.boolean(),
})
type State = typeof state extends fc.Arbitrary<infer T> ? T : never
/** One writer's transaction: an order is opened, or changed, once or several times before it commits. */
const write = fc.record({
  which: fc.nat(40),
  states: fc.array(state, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom(
    'open' as const,
    'change' as const,
    'change' as const,
    'purge' as const,
    'undo' as const,
  ),
})
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

const rowOf = ({ is_deleted, status, ...fields }: State) => ({
  ...fields,
  status: status as OrderStatus,
  completed_at: status === 'completed' ? new Date(fields.opened_at.getTime() + 5_400_000) : null,
  cancelled_at: status === 'cancelled' ? NOW : null,
  deleted_at: is_deleted ? NOW : null,
})
let number = 0
class Undone extends Error {}

async function apply(db: Transaction<DB>, { which, states, kind }: Write) {
  const chosen = sql<boolean>`id = (select id from service_orders order by id offset ${sql.lit(which)} limit 1)`
  if (kind === 'open')
    await db
      .insertInto('service_orders')
      .values(states.map((one) => ({ ...rowOf(one), os_number: String(number++).padStart(6, '0') })))
      .execute()
  else if (kind === 'purge') await db.deleteFrom('service_orders').where(chosen).execute()
  else
    for (const one of states) await db.updateTable('service_orders').set(rowOf(one)).where(chosen).execute()
  if (kind === 'undo') throw new Undone()
}
async function writeAll(queue: Write[]) {
  for (let one = queue.pop(); one; one = queue.pop()) {
    const next = one
    await writers
      .transaction()
      .execute((db) => apply(db, next))
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
  }
}

/** All time, a month, and periods that are open, end today or are followed by few days. */
const PERIODS = [
  {},
  { start_date: '2026-02-01', end_date: '2026-02-28' },
  { start_date: '2026-02-10' },
  { end_date: '2026-02-10' },
  { start_date: '2026-01-20', end_date: '2026-03-15' },
  { start_date: '2026-01-10', end_date: '2026-03-05' },
]

async function expectExact(tree: number[]) {
  const scopes = { all: companies, tree, filial: [filial.id], alone: [alone.id] }
  for (const [name, scope] of Object.entries(scopes)) {
    const viewer = await testApp.as({
      id: (viewers[name as keyof typeof viewers].ctx.actor as { id: number }).id,
    })
    const ctx = { ...viewer.ctx, clock: () => NOW }
    for (const period of PERIODS) {
      const byHand = await countedByHand(testApp.kernel.ctx, scope, NOW, period)
      expect(await readMetrics(ctx, period), `${name} ${JSON.stringify(period)}`).toMatchObject(byHand)
    }
    const byHand = await countedByHand(testApp.kernel.ctx, scope, NOW)
    expect(await summarizeOrders(ctx, {})).toMatchObject({
      total: byHand.total_orders,
      completed: byHand.completed_orders,
      pending: byHand.pending_orders,
    })
  }
}
/** The days and returns of customers and the openings, counted from the orders, are what is kept. */
async function expectCustomersOf(db: Kysely<DB>) {
  const { rows } = await sql`
    with visits as (
      select scope_id, customer_identity as customer, (opened_at at time zone 'America/Sao_Paulo')::date as day,
        count(*) as orders
      from service_orders join companies on companies.id = company_id
      cross join lateral unnest(array[0, -coalesce(parent_id, company_id), company_id]) scopes (scope_id)
      where deleted_at is null and customer_identity is not null group by 1, 2, 3),
    linked as (
      select *, lag(day) over days as previous_day, lead(day) over days as next_day
      from visits window days as (partition by scope_id, customer order by day)),
    counted as (
      select 'day' as what, scope_id, customer, day, null::date as previous_day, orders from visits
      union all select 'return', scope_id, null, day, previous_day, count(*) from linked
        where previous_day is not null group by scope_id, day, previous_day
      union all select 'customers', scope_id, null, day, null, count(*) from linked group by scope_id, day
      union all select 'first', scope_id, null, day, null, count(*) from linked
        where previous_day is null group by scope_id, day
      union all select 'last', scope_id, null, day, null, count(*) from linked
        where next_day is null group by scope_id, day),
    kept as (
      select 'day' as what, scope_id, customer, day, null::date as previous_day, orders from customer_days
      union all select 'return', scope_id, null, day, previous_day, customers from customer_returns
      union all select 'customers', scope_id, null, day, null, customers from order_openings
      union all select 'first', scope_id, null, day, null, first_customers from order_openings
      union all select 'last', scope_id, null, day, null, last_customers from order_openings)
    (select 'missing' as fault, * from (table counted except table kept) missing)
    union all
    (select 'too much', * from (select * from kept where orders <> 0 except table counted) surplus)`.execute(
    db,
  )
  expect(rows).toEqual([])
}
/** Tests both: changes folded into the sums, and changes still recorded beside them. */
const fold = () => sql`select fold_orders()`.execute(testApp.kernel.ctx.db)

test('8 concurrent writers leave exact figures and never deadlock (DASH-1, LIST-1, LIST-2, LIST-3, LIST-4, D-26)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 40, maxLength: 80 }),
      fc.boolean(),
      async (writes, folds) => {
        const queue = [...writes]
        const folding = folds ? [fold(), fold()] : []
        await Promise.all([...Array.from({ length: WRITERS }, () => writeAll(queue)), ...folding])
        await expectExact([matriz.id, filial.id])
        await fold()
        await expectExact([matriz.id, filial.id])
        await expectCustomersOf(writers)
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 60_000)

test('a company that changes its matriz takes its figures along, also during writes (D-39, D-43)', async () => {
  const moveTo = (parent_id: number) =>
    testApp.kernel.ctx.db.updateTable('companies').set({ parent_id }).where('id', '=', filial.id).execute()
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 30, maxLength: 40 }), async (writes) => {
      const queue = [...writes]
      await Promise.all([...Array.from({ length: WRITERS - 1 }, () => writeAll(queue)), moveTo(alone.id)])
      await expectFor([matriz.id], [alone.id, filial.id])
      await fold()
      await expectCustomersOf(writers)
      await moveTo(matriz.id)
      await expectExact([matriz.id, filial.id])
      await expectCustomersOf(writers)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 60_000)

test('an upgrade counts the customers of existing orders as the triggers would have (D-26)', async () => {
  const undone = writers.transaction().execute(async (db) => {
    await sql`select fold_orders()`.execute(db)
    await sql`drop table customer_days, customer_returns`.execute(db)
    await sql`
      alter table order_openings drop column customers, drop column first_customers, drop column last_customers`.execute(
      db,
    )
    await sql`create table order_customers ()`.execute(db)
    await sql`create table customer_counts ()`.execute(db)
    await MIGRATIONS['0029_customers_of_a_period']?.up(db as unknown as Kysely<unknown>)
    await expectCustomersOf(db)
    const { rows } = await sql`select 1 from customer_returns limit 1`.execute(db)
    expect(rows).toHaveLength(1)
    throw new Undone()
  })
  await expect(undone).rejects.toThrow(Undone)
})

test('customers of an order that is purged leave no document in the sums (D-17)', async () => {
  const document = '98765432100'
  const { id } = await testApp.make.order({
    company_id: alone.id,
    brand_id: brands[0] ?? 0,
    customer_document: document,
  })
  await fold()
  const kept = () =>
    writers.selectFrom('customer_days').where('customer', '=', document).select('scope_id').execute()
  expect(await kept()).toHaveLength(3)
  await writers.deleteFrom('service_orders').where('id', '=', id).execute()
  await fold()
  expect(await kept()).toEqual([])
  await expectCustomersOf(writers)
})

async function expectFor(tree: number[], others: number[]) {
  for (const [viewer, scope] of [
    [viewers.tree, tree],
    [viewers.alone, others],
  ] as const) {
    const again = await testApp.as({ id: (viewer.ctx.actor as { id: number }).id })
    expect(await readMetrics({ ...again.ctx, clock: () => NOW }, {})).toMatchObject(
      await countedByHand(testApp.kernel.ctx, scope, NOW),
    )
  }
}
