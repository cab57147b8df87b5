import { listClaims } from '@garantia/server/features/claims/list'
import { findOrders, listOrders, readableOrders } from '@garantia/server/features/orders/list'
import { FOUND_MAX } from '@garantia/shared/orders/navigation'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const own = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: own.id })
const foreign = await testApp.make.company()
const wanted = await testApp.make.order({
  brand_id: brand.id,
  company_id: own.id,
  os_number: '117974',
  customer_name: 'José Conceição',
  customer_document: '52998224725',
  vehicle_plate: 'ABC1234',
  vehicle_chassis: '9BGXX00X00B123456',
})
// Each has the other order's number as the end of its chassis, and all are newer.
for (let i = 0; i < FOUND_MAX + 2; i++)
  await testApp.make.order({
    brand_id: brand.id,
    company_id: filial.id,
    os_number: `90020${i}`.slice(-6),
    vehicle_chassis: `9BGXX00X0${String.fromCharCode(65 + i)}B117974`.slice(-17),
  })
const strange = await testApp.make.order({
  brand_id: brand.id,
  company_id: foreign.id,
  os_number: '117974',
  customer_name: 'José de Longe',
})
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: own.id }))
const numbers = async (search: string, { ctx } = manager) =>
  (await findOrders(ctx, search)).map(({ id }) => id)

describe('the palette finds an order', () => {
  test.each([
    ['its plate as it was before Mercosul', 'abc-1234'],
    ['its plate as it is since', 'ABC1C34'],
    ['the end of its chassis', 'b123456'],
    ['the CPF with its mask', '529.982.247-25'],
    ['the customer without accents', 'jose conceicao'],
  ])('by %s', async (_, search) => {
    expect(await numbers(search)).toEqual([wanted.id])
  })

  test('the order with exactly this number comes first, however many newer ones contain it elsewhere', async () => {
    const found = await numbers('117974')
    expect(found[0]).toBe(wanted.id)
    expect(found).toHaveLength(FOUND_MAX)
    expect(new Set(found).size).toBe(FOUND_MAX)
  })

  test("only within the caller's scope, also by the number", async () => {
    expect(await numbers('117974')).not.toContain(strange.id)
    expect(await numbers('longe')).toEqual([])
    expect((await numbers('117974', boss)).slice(0, 2).sort()).toEqual([wanted.id, strange.id].sort())
  })

  test('an empty query finds nothing, and SQL wildcards are literal', async () => {
    expect(await numbers(' - ')).toEqual([])
    expect(await numbers('100%')).toEqual([])
    expect(await numbers("'; drop")).toEqual([])
  })
})

test('who sees lists masked finds an order by the whole of what is hidden, which is recorded, or by what is shown', async () => {
  const user = await testApp.make.user({ role: 'technician', company_id: own.id })
  const technician = await testApp.as(user)
  const order = await testApp.make.order({
    brand_id: brand.id,
    company_id: own.id,
    os_number: '440044',
    customer_name: 'Noé Bastos',
    customer_document: '11144477735',
    customer_phone: '21987651234',
    vehicle_plate: 'KLM5F67',
    vehicle_chassis: '9BWZZZ377VT004251',
  })
  const { id } = order
  const claim = await testApp.make.claim({ order, brand_number: 'RX77' })
  const { ctx } = technician
  const foundBy = async (search: string) => [
    (await numbers(search, technician)).includes(id),
    (await listOrders(ctx, { search })).items.some((order) => order.id === id),
    (await listClaims(ctx, { search })).items.some((one) => one.id === claim.id),
  ]
  for (const part of ['1114447773', '444777', '7735 111', '2198765', '9bwzzz377vt00425', 'ZZZ377', 'T004251'])
    expect([part, await foundBy(part)]).toEqual([part, [false, false, false]])
  await ctx.securityLog.flush()
  const recorded = () =>
    testApp.kernel.ctx.db
      .selectFrom('security_log')
      .where('kind', '=', 'customer.searched')
      .where('user_id', '=', user.id)
      .select('details')
      .orderBy('id')
      .execute()
  // As long as a phone number.
  expect((await recorded()).map(({ details }) => details)).toEqual([{ ends: '7773' }])
  for (const open of ['noe', 'bast', '4400', 'klm5', 'KLM5567', '004251', '7735', '1234', 'no klm5f67'])
    expect([open, await foundBy(open)]).toEqual([open, [true, true, true]])
  expect(await foundBy('rx7')).toEqual([false, false, true])
  await ctx.securityLog.flush()
  expect(await recorded()).toHaveLength(1)
  for (const whole of ['111.444.777-35', '21987651234', '9bwzzz377vt004251', '11144477735'])
    expect([whole, await foundBy(whole)]).toEqual([whole, [true, true, true]])
  await ctx.securityLog.flush()
  expect((await recorded()).map(({ details }) => details)).toEqual([
    { ends: '7773' },
    { ends: '7735' },
    { ends: '1234' },
    { ends: '4251' },
  ])
})

test('of recently opened orders only those still in scope are returned, in the order of opening', async () => {
  const gone = await testApp.make.order({ brand_id: brand.id, company_id: own.id, deleted_at: new Date() })
  const other = await testApp.make.order({ brand_id: brand.id, company_id: filial.id })
  const left = await readableOrders(manager.ctx, [other.id, strange.id, gone.id, wanted.id, 999_999])
  expect(left.map(({ id }) => id)).toEqual([other.id, wanted.id])
})
