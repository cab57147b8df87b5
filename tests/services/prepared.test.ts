import { listOrders } from '@garantia/server/features/orders/list'
import { orderFilter } from '@garantia/shared/orders/criteria'
import { DefaultQueryCompiler, sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { prepared } from '../../server/src/kernel/prepared.ts'
import { within } from '../../server/src/kernel/scope.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx
const companies: number[] = []
for (let n = 0; n < 3; n++) companies.push((await testApp.make.company({ trading_name: `Empresa ${n}` })).id)

interface Wanted extends Record<string, unknown> {
  ids: readonly number[] | undefined
  name: string | undefined
}
let built = 0
const companyIds = prepared((db, { ids, name }: Wanted, { direction }: { direction: 'asc' | 'desc' }) => {
  built++
  const all = db
    .selectFrom('companies')
    .select('id')
    .where(within(ids ?? 'all', 'companies.id'))
  return (name === undefined ? all : all.where('trading_name', '=', name)).orderBy('id', direction)
})
const idsOf = async (wanted: Wanted, direction: 'asc' | 'desc' = 'asc') =>
  (await companyIds(db, wanted, { direction })).map(({ id }) => id)

test('a prepared query is built once for each shape, and runs with the values of each call', async () => {
  const [a = 0, b = 0, c = 0] = companies
  built = 0
  expect(await idsOf({ ids: [a], name: undefined })).toEqual([a])
  expect(await idsOf({ ids: [b], name: undefined })).toEqual([b])
  expect(built).toBe(1)
  expect(await idsOf({ ids: [a, c], name: undefined })).toEqual([a, c])
  expect(await idsOf({ ids: [c, b], name: undefined }, 'desc')).toEqual([c, b])
  expect(await idsOf({ ids: [], name: undefined })).toEqual([])
  expect(built).toBe(4)
  expect(await idsOf({ ids: undefined, name: 'Empresa 1' })).toEqual([b])
  expect(await idsOf({ ids: undefined, name: 'Empresa 2' })).toEqual([c])
  expect(await idsOf({ ids: [a], name: 'Empresa 2' })).toEqual([])
  expect(built).toBe(6)
})

test('what was used least recently is built again, so that shapes that callers choose do not fill the memory', async () => {
  const numbers = prepared((_db, _: object, { n }: { n: number }) => {
    built++
    return sql<{ n: number }>`select ${sql.lit(n)}::int as n`
  })
  built = 0
  for (let n = 0; n <= 200; n++) await numbers(db, {}, { n })
  expect(built).toBe(201)
  expect(await numbers(db, {}, { n: 200 })).toEqual([{ n: 200 }])
  expect(built).toBe(201)
  expect(await numbers(db, {}, { n: 0 })).toEqual([{ n: 0 }])
  expect(built).toBe(202)
  // Of 200 known ones 2 is the oldest, but in use.
  await numbers(db, {}, { n: 2 })
  await numbers(db, {}, { n: 300 })
  await numbers(db, {}, { n: 2 })
  expect(built).toBe(203)
})

test('the people of a filter are values, not a shape of their own', async () => {
  const clerk = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const compiled = vi.spyOn(DefaultQueryCompiler.prototype, 'compileQuery')
  const list = (filter: object) => listOrders(clerk.ctx, orderFilter.parse(filter))
  await list({ responsible: '1,none' })
  compiled.mockClear()
  for (let n = 2; n < 12; n++) await list({ responsible: `${n},none` })
  const texts = compiled.mock.calls.length
  compiled.mockRestore()
  expect(texts).toBe(0)
})

test('a prepared query belongs to the transaction in which it runs', async () => {
  const named = prepared((db, { id }: { id: number }) =>
    db.selectFrom('companies').select('trading_name').where('id', '=', id),
  )
  const [id = 0] = companies
  expect(await named(db, { id })).toEqual([{ trading_name: 'Empresa 0' }])
  const undone = db.transaction().execute(async (trx) => {
    await trx.updateTable('companies').set({ trading_name: 'Outra' }).where('id', '=', id).execute()
    expect(await named(trx, { id })).toEqual([{ trading_name: 'Outra' }])
    expect(await named(db, { id })).toEqual([{ trading_name: 'Empresa 0' }])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
})
