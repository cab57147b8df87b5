import { listOrders, readNeighbours } from '@garantia/server/features/orders/list'
import { DIRECTIONS, ORDER_SORTS } from '@garantia/shared/orders/criteria'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const [own, foreign] = [await testApp.make.company(), await testApp.make.company()]
const DAY = 86_400_000
// Ties in every sort key, and customers without a name.
for (let i = 0; i < 14; i++)
  await testApp.make.order({
    brand_id: brand.id,
    company_id: own.id,
    os_number: String(300 + i).padStart(6, '0'),
    customer_name: i % 4 === 0 ? null : `Cliente ${i % 3}`,
    service_value: (i % 3) * 100,
    opened_at: new Date(Date.UTC(2026, 0, 20) - (i % 5) * DAY),
    status: i % 2 === 0 ? 'pending' : 'created',
  })
const strange = await testApp.make.order({ brand_id: brand.id, company_id: foreign.id, os_number: '000305' })
const { ctx } = await testApp.as(await testApp.make.user({ role: 'manager', company_id: own.id }))

describe('the previous and the next order, as the list sorts them', () => {
  test.each(ORDER_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => ({ sort, direction }))))(
    'by $sort, $direction',
    async (sorting) => {
      for (const criteria of [{}, { status: ['pending' as const] }, { search: 'cliente' }]) {
        const { items, total } = await listOrders(ctx, { ...criteria, ...sorting, limit: 100 })
        const ids = items.map(({ id }) => id)
        expect(ids.length).toBe(total)
        for (const [i, id] of ids.entries()) {
          const around = await readNeighbours(ctx, { ...criteria, ...sorting, id })
          expect({ ...around, previous: around.previous?.id, next: around.next?.id }).toEqual({
            previous: ids[i - 1],
            next: ids[i + 1],
            is_listed: true,
            place: i + 1,
            total,
            total_is_exact: true,
          })
        }
      }
    },
  )

  test('an order that no longer matches the filter has no position, but still has neighbours', async () => {
    const criteria = { status: ['pending' as const] }
    const { items } = await listOrders(ctx, { ...criteria, limit: 100 })
    const [before, it, after] = items
    if (!before || !it || !after) throw new Error('three orders are pending')
    await ctx.db
      .updateTable('service_orders')
      .set({ status: 'in_analysis' })
      .where('id', '=', it.id)
      .execute()
    const around = await readNeighbours(ctx, { ...criteria, id: it.id })
    expect(around).toMatchObject({
      previous: { id: before.id, os_number: before.os_number },
      next: { id: after.id },
      is_listed: false,
      place: null,
      total: items.length - 1,
    })
  })

  test("another company's order reveals no neighbours", async () => {
    await expect(readNeighbours(ctx, { id: strange.id })).rejects.toMatchObject({ code: 'not_found' })
  })
})
