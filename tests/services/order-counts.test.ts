import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const brands = [(await testApp.make.brand()).id, (await testApp.make.brand()).id]
const companies = [(await testApp.make.company()).id, (await testApp.make.company()).id]

let number = 0
const place = fc.record({
  brand: fc.nat(1),
  company: fc.nat(1),
  status: fc.constantFrom(
    ...ORDER_STATUSES.filter((status) => status !== 'completed' && status !== 'cancelled'),
  ),
})
/** One statement each, over one row or many, as use cases, imports and purges write them. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), rows: fc.integer({ min: 1, max: 5 }), place }),
  fc.record({ kind: fc.constant('move' as const), seed: fc.nat(6), place }),
  fc.record({ kind: fc.constant('end' as const), seed: fc.nat(6) }),
  fc.record({ kind: fc.constant('trash' as const), seed: fc.nat(6) }),
  fc.record({ kind: fc.constant('restore' as const), seed: fc.nat(6) }),
  fc.record({ kind: fc.constant('purge' as const), seed: fc.nat(6) }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Locked in the order of their ids, as use cases do: what is tested are the counters, not the orders' own rows. */
const chosen = (seed: number) => sql<boolean>`id in (
  select id from service_orders where id % 7 = ${sql.lit(seed)} order by id for update)`
const at = ({ brand, company, status }: Extract<Change, { kind: 'open' }>['place']) => ({
  brand_id: brands[brand] as number,
  company_id: companies[company] as number,
  status,
})

async function apply(one: Change) {
  if (one.kind === 'open')
    await db
      .insertInto('service_orders')
      .values(
        Array.from({ length: one.rows }, () => ({
          ...at(one.place),
          os_number: String(number++).padStart(6, '0'),
        })),
      )
      .execute()
  else if (one.kind === 'move')
    await db
      .updateTable('service_orders')
      .set({ ...at(one.place), completed_at: null })
      .where(chosen(one.seed))
      .execute()
  else if (one.kind === 'end')
    await db
      .updateTable('service_orders')
      .set({ status: 'completed', completed_at: new Date() })
      .where(chosen(one.seed))
      .execute()
  else if (one.kind === 'purge') await db.deleteFrom('service_orders').where(chosen(one.seed)).execute()
  else
    await db
      .updateTable('service_orders')
      .set({ deleted_at: one.kind === 'trash' ? new Date() : null })
      .where(chosen(one.seed))
      .execute()
}

/** Both counts, without the keys whose count is zero. */
async function bothCounts() {
  const { rows: kept } = await sql`select company_id, brand_id, status, orders from order_counts
    where orders <> 0 order by 1, 2, 3`.execute(db)
  const { rows: real } = await sql`select company_id, brand_id, status, count(*) as orders from service_orders
    where deleted_at is null group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return { kept, real }
}

test('the counters equal count(*) after any sequence of changes (LIST-1, D-55)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 30 }), async (changes) => {
      for (const one of changes) await apply(one)
      const { kept, real } = await bothCounts()
      expect(kept).toEqual(real)
    }),
    { numRuns: 15 },
  )
})

test('the counters equal count(*) after many concurrent writers, and none of them deadlocks (LIST-1, D-55)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 40, maxLength: 60 }), async (changes) => {
      await Promise.all(changes.map(apply))
      const { kept, real } = await bothCounts()
      expect(kept).toEqual(real)
    }),
    { numRuns: 6 },
  )
})
