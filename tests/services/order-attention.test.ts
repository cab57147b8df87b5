import { readAttention } from '@garantia/server/features/orders/dashboard'
import { listOrders, summarizeOrders } from '@garantia/server/features/orders/list'
import { ATTENTION, type Attention } from '@garantia/shared/orders/attention'
import { ORDER_PAGE_SIZES, orderFilter } from '@garantia/shared/orders/criteria'
import { CONVERSION_STATUSES, isClosed, ORDER_STATUSES } from '@garantia/shared/orders/status'
import { BUILT_IN_VIEWS } from '@garantia/shared/orders/views'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const NOW = new Date('2026-03-15T12:00:00-03:00')
const DAY = 86_400_000
const brands = [(await testApp.make.brand()).id, (await testApp.make.brand()).id]
const matriz = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: matriz.id })
const foreign = await testApp.make.company()
const companies = [matriz, filial, foreign].map(({ id }) => id)
const viewers = [
  [await testApp.as(await testApp.make.user({ is_superuser: true })), companies],
  [await testApp.as(await testApp.make.user({ role: 'admin', company_id: matriz.id })), companies],
  [
    await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id })),
    [matriz.id, filial.id],
  ],
  [await testApp.as(await testApp.make.user({ company_id: filial.id })), [filial.id]],
] as const

const made = fc.record({
  brand: fc.nat(1),
  company: fc.nat(2),
  status: fc.constantFrom(...ORDER_STATUSES),
  conversion_status: fc.constantFrom(...CONVERSION_STATUSES),
  /** Around the limits of each figure. */
  age: fc.constantFrom(0, 1, 2, 3, 4, 19, 20, 21, 28, 29, 30, 31, 60),
  /** From midnight on, as days are counted in São Paulo. */
  minute: fc.constantFrom(0, 1, 719, 1439),
  isDeleted: fc.boolean(),
})
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never

/** Written apart from the product: what each figure promises. */
const MEANS: Record<Attention, (order: Made) => boolean> = {
  overdue: ({ status, age }) => !isClosed(status) && age >= 30,
  near: ({ status, age }) => !isClosed(status) && age >= 20 && age < 30,
  failed: ({ status, conversion_status }) => !isClosed(status) && conversion_status === 'failed',
  ready: ({ status }) => status === 'ready',
  without_evidence: ({ status, age }) => status === 'created' && age >= 3,
}

let number = 0
async function replaceOrders(orders: readonly Made[]) {
  await db.deleteFrom('service_orders').execute()
  const midnight = Date.parse('2026-03-15T00:00:00-03:00')
  const rows = orders.map((one) => ({
    os_number: String(number++).padStart(6, '0'),
    brand_id: brands[one.brand] ?? 0,
    company_id: companies[one.company] ?? 0,
    status: one.status,
    conversion_status: one.conversion_status,
    opened_at: new Date(midnight - one.age * DAY + (one.age > 0 ? one.minute * 60_000 : 0)),
    completed_at: one.status === 'completed' ? NOW : null,
    cancelled_at: one.status === 'cancelled' ? NOW : null,
    deleted_at: one.isDeleted ? NOW : null,
  }))
  return db.insertInto('service_orders').values(rows).returning(['id']).execute()
}

test('each figure of what needs somebody is the number of orders in the list it leads to, for every scope', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 30, maxLength: 60 }), async (orders) => {
      const ids = await replaceOrders(orders)
      for (const [{ ctx }, scope] of viewers) {
        const at = { ...ctx, clock: () => NOW }
        const figures = await readAttention(at)
        for (const { id, criteria } of ATTENTION) {
          const meant = orders.flatMap((one, index) =>
            !one.isDeleted && scope.includes(companies[one.company] ?? 0) && MEANS[id](one)
              ? [ids[index]?.id]
              : [],
          )
          const page = await listOrders(
            at,
            orderFilter.parse({ ...criteria, limit: ORDER_PAGE_SIZES.at(-1) }),
          )
          expect(new Set(page.items.map((one) => one.id)), id).toEqual(new Set(meant))
          expect([page.total, figures[id]], id).toEqual([
            meant.length,
            { orders: meant.length, is_exact: true },
          ])
          const { status: _, ...rest } = orderFilter.parse(criteria)
          if (!('status' in criteria)) expect((await summarizeOrders(at, rest)).total, id).toBe(meant.length)
        }
      }
    }),
    { numRuns: 4 },
  )
})

test('each figure is a view of the list under its own name', () => {
  for (const { label, criteria } of ATTENTION)
    expect(BUILT_IN_VIEWS.filter(({ name }) => name === label)).toEqual([{ name: label, criteria }])
})
