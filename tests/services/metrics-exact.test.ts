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

const w = await startTestApp()
afterAll(() => w[Symbol.asyncDispose]())

const WRITERS = 8
const pool = new pg.Pool({ connectionString: w.url, max: WRITERS })
pool.on('error', () => undefined)
const writers = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
afterAll(() => writers.destroy())

const NOW = new Date('2026-03-15T12:00:00-03:00')
const brands = [
  (await w.make.brand({ display_name: 'Fiat' })).id,
  (await w.make.brand({ display_name: 'Ford' })).id,
]
const matriz = await w.make.company()
const alone = await w.make.company()
const filial = await w.make.company({ parent_id: matriz.id })
const companies = [matriz.id, filial.id, alone.id]
const viewers = {
  all: await w.as(await w.make.user({ is_superuser: true })),
  tree: await w.as(await w.make.user({ role: 'manager', company_id: matriz.id })),
  filial: await w.as(await w.make.user({ company_id: filial.id })),
  alone: await w.as(await w.make.user({ role: 'manager', company_id: alone.id })),
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

async function expectExact(tree: number[]) {
  const scopes = { all: companies, tree, filial: [filial.id], alone: [alone.id] }
  for (const [name, scope] of Object.entries(scopes)) {
    const viewer = await w.as({ id: (viewers[name as keyof typeof viewers].ctx.actor as { id: number }).id })
    const ctx = { ...viewer.ctx, clock: () => NOW }
    for (const period of [{}, { start_date: '2026-02-01', end_date: '2026-02-28' }]) {
      const byHand = await countedByHand(w.kernel.ctx, scope, NOW, period)
      expect(await readMetrics(ctx, period), `${name} ${JSON.stringify(period)}`).toMatchObject(byHand)
    }
    const byHand = await countedByHand(w.kernel.ctx, scope, NOW)
    expect(await summarizeOrders(ctx, {})).toMatchObject({
      total: byHand.total_orders,
      completed: byHand.completed_orders,
      pending: byHand.pending_orders,
    })
  }
}
/** Tests both: changes folded into the sums, and changes still recorded beside them. */
const fold = () => sql`select fold_orders()`.execute(w.kernel.ctx.db)

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
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 60_000)

test('a company that changes its matriz takes its figures along, also during writes (D-39, D-43)', async () => {
  const moveTo = (parent_id: number) =>
    w.kernel.ctx.db.updateTable('companies').set({ parent_id }).where('id', '=', filial.id).execute()
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 30, maxLength: 40 }), async (writes) => {
      const queue = [...writes]
      await Promise.all([...Array.from({ length: WRITERS - 1 }, () => writeAll(queue)), moveTo(alone.id)])
      await expectFor([matriz.id], [alone.id, filial.id])
      await moveTo(matriz.id)
      await expectExact([matriz.id, filial.id])
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 60_000)

async function expectFor(tree: number[], others: number[]) {
  for (const [viewer, scope] of [
    [viewers.tree, tree],
    [viewers.alone, others],
  ] as const) {
    const again = await w.as({ id: (viewer.ctx.actor as { id: number }).id })
    expect(await readMetrics({ ...again.ctx, clock: () => NOW }, {})).toMatchObject(
      await countedByHand(w.kernel.ctx, scope, NOW),
    )
  }
}
