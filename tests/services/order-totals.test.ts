import { readOrder } from '@garantia/server/features/orders/order'
import { brl } from '@garantia/shared/format'
import { totalOf } from '@garantia/shared/orders/total'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const { brand_id, company_id } = await testApp.make.order()

let serial = 700_000
const open = async (values: object) => {
  const answer = await boss.api('POST', '/service-orders', {
    os_number: String(serial++),
    brand_id,
    company_id,
    ...values,
  })
  expect(answer.statusCode).toBe(200)
  return answer.json() as { id: number; total_value: number }
}

/** Sums that floating point gets wrong, the limits of the range, and absent parts. */
const AWKWARD = [
  [1234.35, 0.1, 1234.45, 'R$ 1.234,45'],
  [0.1, 0.2, 0.3, 'R$ 0,30'],
  [1.1, 2.2, 3.3, 'R$ 3,30'],
  [8.41, 1.15, 9.56, 'R$ 9,56'],
  [0.07, 0.1, 0.17, 'R$ 0,17'],
  [19.99, 19.99, 39.98, 'R$ 39,98'],
  [1015.3, 0.07, 1015.37, 'R$ 1.015,37'],
  [4.35, 0.05, 4.4, 'R$ 4,40'],
  [999_999_999.99, 0.01, 1_000_000_000, 'R$ 1.000.000.000,00'],
  [999_999_999.99, 999_999_999.99, 1_999_999_999.98, 'R$ 1.999.999.999,98'],
  [0, 0, 0, 'R$ 0,00'],
  [0.01, null, 0.01, 'R$ 0,01'],
  [null, 77.7, 77.7, 'R$ 77,70'],
  [null, null, 0, 'R$ 0,00'],
] as const

test.each(AWKWARD)(
  '%s + %s = %s in form, API, edit and database (VAL-13, D-12, ENT-14)',
  async (service_value, parts_value, total, shown) => {
    expect(totalOf(service_value, parts_value)).toBe(total)
    expect(brl(totalOf(service_value, parts_value))).toBe(shown)
    const opened = await open({ service_value, parts_value, total_value: 1 })
    expect(opened.total_value).toBe(total)
    const edited = await boss.api('PUT', `/service-orders/${(await open({})).id}`, {
      service_value,
      parts_value,
      total_value: 1,
    })
    expect(edited.json()).toMatchObject({ service_value, parts_value, total_value: total })
    expect((await readOrder(boss.ctx, opened.id)).total_value).toBe(total)
    const { rows } = await sql<{ total: string }>`
      select total_value::text as total from service_orders where id = ${opened.id}`.execute(
      testApp.kernel.ctx.db,
    )
    expect(rows[0]?.total).toBe(total.toFixed(2))
  },
)

test('clearing one part leaves the other (D-04)', async () => {
  const { id } = await open({ service_value: 10.1, parts_value: 0.2 })
  const answer = await boss.api('PATCH', `/service-orders/${id}`, { parts_value: null })
  expect(answer.json()).toMatchObject({ service_value: 10.1, parts_value: null, total_value: 10.1 })
})

test('for any two amounts form and database agree to the cent (VAL-12, VAL-13)', async () => {
  const cents = fc.integer({ min: 0, max: 99_999_999_999 }).map((value) => value / 100)
  const pairs = fc.sample(fc.tuple(cents, cents), 200)
  const { rows } = await sql<{ total: string }>`
    select (service + parts)::numeric(14, 2)::text as total
    from unnest(${pairs.map(([service]) => service)}::numeric[], ${pairs.map(([, parts]) => parts)}::numeric[])
      as given (service, parts)`.execute(testApp.kernel.ctx.db)
  expect(rows.map(({ total }) => Number(total))).toEqual(pairs.map((pair) => totalOf(...pair)))
})

test('a third decimal, a negative or too large amount is refused with its field (VAL-12, D-51)', async () => {
  for (const value of [0.001, 1234.355, -0.01, 1_000_000_000, '10', Number.MAX_SAFE_INTEGER]) {
    const answer = await boss.api('POST', '/service-orders', {
      os_number: String(serial++),
      brand_id,
      company_id,
      parts_value: value,
    })
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'parts_value']])
  }
})
