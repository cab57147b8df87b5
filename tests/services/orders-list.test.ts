import { listOrders } from '@garantia/server/features/orders/list'
import { orderFilter } from '@garantia/shared/orders/criteria'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const [fiat, ford] = [await testApp.make.brand(), await testApp.make.brand()]
const company = await testApp.make.company()
const base = { brand_id: fiat.id, company_id: company.id }
await testApp.make.order({
  ...base,
  os_number: '000111',
  customer_name: 'José Conceição da Sá-Ferreira',
  customer_document: '52998224725',
  customer_phone: '(11) 98765-4321',
  vehicle_plate: 'ABC1234',
  vehicle_chassis: '9BGXX00X00B123456',
})
await testApp.make.order({
  ...base,
  os_number: '000222',
  customer_name: 'Maria Ávila',
  customer_document: '11222333000181',
  vehicle_plate: 'XYZ5F67',
  status: 'ready',
})
await testApp.make.order({
  ...base,
  brand_id: ford.id,
  os_number: '000333',
  customer_name: '100% Frotas_SP',
  status: 'pending',
})
await testApp.make.order({
  ...base,
  os_number: '000444',
  customer_name: 'Maria Apagada',
  deleted_at: new Date(),
})
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const numbersOf = async (filter: object) =>
  (await listOrders(boss.ctx, orderFilter.parse(filter))).items.map(({ os_number }) => os_number).sort()

describe('a search finds an order (LIST-5)', () => {
  test.each([
    ['its number', '000111'],
    ['a part of its number', '111'],
    ['a name without its accents', 'jose conceicao'],
    ['a name in capitals, words in any order', 'SÁ-FERREIRA JOSÉ'],
    ['a CPF with its mask', '529.982.247-25'],
    ['a CPF without it', '52998224725'],
    ['a plate with hyphen', 'abc-1234'],
    ['a plate as stored', 'ABC1234'],
    ['the Mercosul spelling of an old plate', 'ABC1C34'],
    ['the end of a chassis', 'b123456'],
    ['a phone with its mask', '(11) 98765-4321'],
    ['a phone in digits', '11987654321'],
  ])('by %s', async (_, search) => {
    expect(await numbersOf({ search })).toEqual(['000111'])
  })

  test.each([
    ['the old spelling of a Mercosul plate', 'XYZ5567'],
    ['a CNPJ with its mask', '11.222.333/0001-81'],
    ['two words that both match', 'maria avila'],
  ])('by %s', async (_, search) => {
    expect(await numbersOf({ search })).toEqual(['000222'])
  })

  test('that contains SQL wildcards takes them literally', async () => {
    expect(await numbersOf({ search: '100%' })).toEqual(['000333'])
    expect(await numbersOf({ search: 'frotas_sp' })).toEqual(['000333'])
    expect(await numbersOf({ search: 'mari_' })).toEqual([])
    expect(await numbersOf({ search: '\\' })).toEqual([])
  })

  test.each([
    ['the middle of a phone', '119876543', ['000111']],
    ['a number whose ends alone are in it', '1198704321', []],
    ['a number whose ends are in two of its numbers', '529982000111', []],
  ])('by %s only where it is as a whole', async (_, search, found) => {
    expect(await numbersOf({ search })).toEqual(found)
  })

  test('and two words that no order has together find none', async () => {
    expect(await numbersOf({ search: 'maria ferreira' })).toEqual([])
  })

  test('and blank or punctuation alone is no search', async () => {
    expect(await numbersOf({ search: '  ' })).toHaveLength(3)
    expect(await numbersOf({ search: '-' })).toHaveLength(3)
  })
})

test('status and brand narrow the list, a comma list of statuses too (LIST-6, LIST-7, D-28)', async () => {
  expect(await numbersOf({ status: 'ready' })).toEqual(['000222'])
  expect(await numbersOf({ status: 'ready,pending' })).toEqual(['000222', '000333'])
  expect(await numbersOf({ brand_id: ford.id })).toEqual(['000333'])
  expect(await numbersOf({ brand_id: ford.id, status: 'ready' })).toEqual([])
  expect(await numbersOf({ search: 'maria', status: 'pending' })).toEqual([])
})

test('the newest come first, in pages of ten that neither repeat nor miss one (LIST-19, CON-11, CON-12, API-29)', async () => {
  const own = await testApp.make.company()
  const opened_at = new Date('2026-01-01T12:00:00Z')
  // Equal timestamps: only the id makes their sequence stable.
  for (let n = 0; n < 25; n++) await testApp.make.order({ ...base, company_id: own.id, opened_at })
  const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: own.id }))
  const pages = await Promise.all([0, 10, 20, 30].map((skip) => listOrders(manager.ctx, { skip, limit: 10 })))
  expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5, 0])
  expect(pages.map(({ total }) => total)).toEqual([25, 25, 25, 25])
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
})

describe('the total (D-55)', () => {
  test('without a search is exact and honours every filter', async () => {
    expect(await listOrders(boss.ctx, { brand_id: [ford.id] })).toMatchObject({
      total: 1,
      total_is_exact: true,
    })
  })
})
