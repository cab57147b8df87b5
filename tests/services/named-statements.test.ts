import { listCompanies } from '@garantia/server/features/catalogue/companies'
import {
  findOrders,
  listOrders,
  listWithTotal,
  readNeighbours,
  summarizeOrders,
} from '@garantia/server/features/orders/list'
import { viewOrder } from '@garantia/server/features/orders/order'
import { listUsers } from '@garantia/server/features/people/users'
import { inTransaction } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { Client, type PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = await testApp.as(await testApp.make.user({ is_superuser: true }))
const order = await testApp.make.order({ os_number: '004711', customer_name: 'Maria Prado' })
const { db } = ctx
const admin = new Client({ connectionString: testApp.owner_url })
beforeAll(() => admin.connect())
afterAll(() => admin.end())

/** What the work returns with all connections of the pool, one after the other. */
async function onEachConnection<T>(work: (client: PoolClient) => Promise<T>) {
  const clients = await Promise.all(Array.from({ length: 6 }, () => testApp.kernel.pool.connect()))
  try {
    return await Promise.all(clients.map(work))
  } finally {
    for (const client of clients) client.release()
  }
}
const namedOn = async (client: PoolClient) =>
  (await client.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map(
    ({ statement }) => statement,
  )
const named = async () => (await onEachConnection(namedOn)).flat()

describe('a statement that comes again', () => {
  test('keeps its plan, be it of a list, a detail, the cards or a change', async () => {
    for (let time = 0; time < 3; time++) {
      await listOrders(ctx, { limit: 10, status: ['created'] })
      await summarizeOrders(ctx, {})
      await viewOrder(ctx, order.id)
      await listUsers(ctx, {})
      await inTransaction(ctx, async ({ db }) => {
        await db
          .updateTable('service_orders')
          .set({ vehicle_color: 'Prata' })
          .where('id', '=', order.id)
          .execute()
      })
    }
    const statements = await named()
    for (const part of [
      /from "service_orders".* limit 10\s*\)/s,
      /group by status/,
      /"users".*limit 100\s*$/s,
      /"problem_description"/,
      /^update/,
    ])
      expect(statements.filter((statement) => part.test(statement))).not.toEqual([])
    expect(statements.filter((statement) => /^(begin|commit)/i.test(statement))).toEqual([])
  })

  test('has none as a search, whose plan depends on its pattern', async () => {
    for (let time = 0; time < 3; time++) {
      await listOrders(ctx, { search: 'maria prado', limit: 10 })
      await listWithTotal(ctx, { search: 'maria prado', limit: 10, exact_total: true })
      await summarizeOrders(ctx, { search: 'maria' })
      await findOrders(ctx, 'pra')
      await readNeighbours(ctx, { id: order.id, search: 'maria' })
      await listUsers(ctx, { search: 'ana' })
      await listCompanies(ctx, { search: 'auto' })
    }
    expect((await named()).filter((statement) => /like/i.test(statement))).toEqual([])
  })

  test('does not fill the memory of the database, however many there are', async () => {
    const number = async (n: number) =>
      (await sql<{ n: number }>`select ${sql.lit(n)}::int as n`.execute(db)).rows[0]?.n
    // One that was refused has nothing to be dropped.
    for (let time = 0; time < 3; time++)
      await Promise.allSettled(Array.from({ length: 12 }, () => sql`select no_such_column`.execute(db)))
    await inTransaction(ctx, async ({ db }) => {
      for (let n = 0; n < 400; n++)
        for (let time = 0; time < 3; time++) await sql`select ${sql.lit(n)}::int as n`.execute(db)
    })
    for (const statements of await onEachConnection(namedOn))
      expect(statements.length).toBeLessThanOrEqual(150)
    expect((await onEachConnection(namedOn)).some((statements) => statements.length === 150)).toBe(true)
    for (let n = 0; n < 400; n += 100) expect(await number(n)).toBe(n)
  })
})

describe('a migration by another server', () => {
  const brands = () => db.selectFrom('brands').where('id', '=', order.brand_id).selectAll().execute()
  let columns = 0
  const migrate = () => admin.query(`alter table brands add column later_${columns++} text`)
  const prepare = () =>
    Promise.all(
      Array.from({ length: 12 }, async () => {
        for (let time = 0; time < 3; time++) await brands()
      }),
    )

  test('outdates plans without anybody noticing', async () => {
    await prepare()
    await migrate()
    for (const [row] of await Promise.all(Array.from({ length: 12 }, brands)))
      expect(row).toHaveProperty('later_0', null)
  })

  test('repeats the work of a transaction from its beginning', async () => {
    await prepare()
    await migrate()
    let attempts = 0
    const version = await inTransaction(ctx, async ({ db }) => {
      attempts++
      await db
        .updateTable('service_orders')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('id', '=', order.id)
        .execute()
      const [row] = await db.selectFrom('brands').where('id', '=', order.brand_id).selectAll().execute()
      expect(row).toHaveProperty('later_1', null)
      return (
        await db
          .selectFrom('service_orders')
          .where('id', '=', order.id)
          .select('version')
          .executeTakeFirstOrThrow()
      ).version
    })
    expect([attempts, version]).toEqual([2, order.version + 1])
  })
})

test('where connections change behind the pool, statements go on without names', async () => {
  const list = async () => expect((await listOrders(ctx, { limit: 10, status: ['created'] })).total).toBe(1)
  const onAll = () => Promise.all(Array.from({ length: 12 }, list))
  for (let time = 0; time < 3; time++) await onAll()
  await onEachConnection((client) => client.query('deallocate all'))
  // Notices it; some were named before that.
  await onAll()
  await onEachConnection((client) => client.query('deallocate all'))
  await onAll()
  expect(await named()).toEqual([])
})
