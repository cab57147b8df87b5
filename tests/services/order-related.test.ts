import { readRelated } from '@garantia/server/features/orders/list'
import { readSheet, revealFields } from '@garantia/server/features/orders/order'
import { RELATED_MAX } from '@garantia/shared/orders/related'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const own = await testApp.make.company()
const foreign = await testApp.make.company()
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: own.id }))
const CHASSIS = '9BGXX00X00B123456'
const CPF = '52998224725'
const order = (fields: object) => testApp.make.order({ brand_id: brand.id, company_id: own.id, ...fields })
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

const shown = await order({
  vehicle_chassis: CHASSIS,
  vehicle_plate: 'ABC1234',
  customer_document: CPF,
  customer_phone: '11987654321',
  opened_at: day(9),
})
const related = async (id: number) => {
  const { vehicle, customer } = await readRelated(manager.ctx, id)
  return { vehicle: vehicle.orders.map((one) => one.id), customer: customer.orders.map((one) => one.id) }
}

describe('other orders beside an order', () => {
  test('of the vehicle: the same chassis, or its plate in either pattern; the newest first', async () => {
    const sameChassis = await order({ vehicle_chassis: CHASSIS, opened_at: day(2) })
    const samePlate = await order({ vehicle_plate: 'ABC1C34', customer_document: CPF, opened_at: day(3) })
    const otherVehicle = await order({ vehicle_plate: 'ABC1234', vehicle_chassis: '9BGXX00X00B999999' })
    const chassisInText = await order({ problem_description: CHASSIS })
    const deleted = await order({ vehicle_chassis: CHASSIS, deleted_at: day(4) })
    const elsewhere = await order({ vehicle_chassis: CHASSIS, company_id: foreign.id })
    const found = await related(shown.id)
    expect(found.vehicle).toEqual([samePlate.id, sameChassis.id])
    for (const { id } of [otherVehicle, chassisInText, deleted, elsewhere])
      expect([...found.vehicle, ...found.customer]).not.toContain(id)
    expect((await related(elsewhere.id).catch((error) => error)).detail).toBe(
      'Ordem de serviço não encontrada',
    )
    // Without a chassis of its own, an order is recognised by its plate alone.
    expect((await related(samePlate.id)).vehicle).toEqual(
      [shown, otherVehicle].map(({ id }) => id).sort((a, b) => b - a),
    )
  })

  test('of the customer, without those of the vehicle; more than five are said to be more', async () => {
    const others = []
    for (let n = 0; n <= RELATED_MAX; n++)
      others.push(await order({ customer_document: CPF, opened_at: day(10 + n) }))
    const { customer } = await readRelated(manager.ctx, shown.id)
    expect(customer.has_more).toBe(true)
    expect(customer.orders.map(({ id }) => id)).toEqual(
      others
        .reverse()
        .slice(0, RELATED_MAX)
        .map(({ id }) => id),
    )
    expect(customer.orders[0]).toEqual({
      id: others[0]?.id,
      os_number: others[0]?.os_number,
      status: 'created',
      opened_at: day(10 + RELATED_MAX).toISOString(),
      vehicle_model: others[0]?.vehicle_model ?? null,
      brand: brand.display_name,
    })
  })

  test('an order without chassis, plate and document has none', async () => {
    const bare = await order({ vehicle_plate: null, vehicle_chassis: null, customer_document: null })
    expect(await related(bare.id)).toEqual({ vehicle: [], customer: [] })
  })
})

test('who reveals a masked field is noted in the security log', async () => {
  const revealed = await revealFields(manager.ctx, {
    id: shown.id,
    fields: ['vehicle_chassis', 'customer_phone'],
  })
  expect(revealed).toEqual({ vehicle_chassis: CHASSIS, customer_phone: shown.customer_phone })
  await manager.ctx.securityLog.flush()
  const entries = await testApp.kernel.ctx.db
    .selectFrom('security_log')
    .where('kind', '=', 'order.revealed')
    .selectAll()
    .execute()
  expect(entries).toMatchObject([
    { order_id: shown.id, details: { field: 'vehicle_chassis, customer_phone' } },
  ])
})

test('a printed order is noted, and whoever may not export gets the customer masked (D-75)', async () => {
  const { id } = await order({
    customer_document: CPF,
    customer_phone: '11987654321',
    customer_email: 'a@b.co',
  })
  const technician = await testApp.as(await testApp.make.user({ company_id: own.id }))
  expect(await readSheet(manager.ctx, { id, sheet: 'capa' })).toMatchObject({
    customer_document: CPF,
    customer_phone: '11987654321',
    customer_email: 'a@b.co',
  })
  expect(await readSheet(technician.ctx, { id, sheet: 'termo' })).toMatchObject({
    customer_document: '•••••••4725',
    customer_phone: '•••••••4321',
    customer_email: '•••@b.co',
  })
  await manager.ctx.securityLog.flush()
  const entries = await testApp.kernel.ctx.db
    .selectFrom('security_log')
    .where('kind', '=', 'order.printed')
    .where('order_id', '=', id)
    .select(['user_id', 'details'])
    .orderBy('id')
    .execute()
  const idOf = ({ ctx: { actor } }: typeof manager) => actor.kind === 'user' && actor.id
  expect(entries).toEqual([
    { user_id: idOf(manager), details: { sheet: 'capa' } },
    { user_id: idOf(technician), details: { sheet: 'termo' } },
  ])
})
