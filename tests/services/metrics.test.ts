import { readMetrics, readRecentOrders } from '@garantia/server/features/orders/dashboard'
import { metrics } from '@garantia/shared/orders/metrics'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

/** A quarter past midnight on the 15th in São Paulo; 03:15 UTC. */
const NOW = new Date('2026-03-15T03:15:00Z')
const [fiat, ford] = [
  await testApp.make.brand({ display_name: 'Fiat' }),
  await testApp.make.brand({ display_name: 'Ford', is_active: false }),
]
const matriz = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: matriz.id, is_active: false })
const other = await testApp.make.company()
const order = (opened_at: string, fields: object = {}) =>
  testApp.make.order({ brand_id: fiat.id, company_id: matriz.id, opened_at: new Date(opened_at), ...fields })

const days = ['2026-03-14', '2026-03-13', '2026-03-09', '2026-03-02', '2026-02-01', '2026-02-14']
for (const day of days) await order(`${day}T12:00:00-03:00`)
// Just before midnight in São Paulo; the next day in UTC.
await order('2026-03-08T23:59:59-03:00', { status: 'pending' })
await order('2026-03-15T00:10:00-03:00', { status: 'pending_upload' })
const done = { status: 'completed', company_id: filial.id }
await order('2026-02-20T08:00:00-03:00', {
  ...done,
  completed_at: new Date('2026-02-21T20:00:00-03:00'),
  service_value: 0.1,
  parts_value: 0.2,
})
await order('2026-02-28T08:00:00-03:00', {
  ...done,
  completed_at: new Date('2026-02-28T09:12:00-03:00'),
  service_value: 1234.35,
  parts_value: 0.1,
})
await order('2025-11-01T08:00:00-03:00', { status: 'cancelled', service_value: 500 })
await order('2025-11-01T08:00:00-03:00', { status: 'in_analysis', brand_id: ford.id, service_value: 500 })
await order('2026-03-14T08:00:00-03:00', { deleted_at: new Date() })
await order('2026-03-14T08:00:00-03:00', { company_id: other.id })

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const manager = await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id }))
const technician = await testApp.as(await testApp.make.user({ company_id: filial.id }))
const lost = await testApp.as(await testApp.make.user({ company_id: null }))
const figuresOf = ({ ctx }: typeof boss, period = {}) => readMetrics({ ...ctx, clock: () => NOW }, period)

test('the figures follow the definitions of D-26 (DASH-1, DASH-3, DASH-4, DASH-5, ENT-19, ENT-20, ENT-21, ENT-22)', async () => {
  const figures = await figuresOf(manager)
  expect(metrics.parse(figures)).toEqual({
    total_orders: 12,
    completed_orders: 2,
    in_analysis_orders: 1,
    pending_orders: 2,
    cancelled_orders: 1,
    completion_rate: 16.7,
    average_processing_time_hours: 18.6,
    total_revenue: 1234.75,
    average_order_value: 617.38,
    orders_by_brand: { Fiat: 11, Ford: 1 },
    // 1 to 15 March: 6 orders; 1 to 15 February: 2.
    monthly_growth: 200,
    weekly_orders: 4,
    weekly_series: [
      { day: '2026-03-09', orders: 1 },
      { day: '2026-03-10', orders: 0 },
      { day: '2026-03-11', orders: 0 },
      { day: '2026-03-12', orders: 0 },
      { day: '2026-03-13', orders: 1 },
      { day: '2026-03-14', orders: 1 },
      { day: '2026-03-15', orders: 1 },
    ],
    active_brands: 1,
    active_companies: 1,
    total_customers: 0,
  })
})

test('a period is of the day of opening in São Paulo, both ends included (API-28, DASH-2)', async () => {
  const of = async (period: object) => (await figuresOf(manager, period)).total_orders
  expect(await of({ start_date: '2026-03-08', end_date: '2026-03-08' })).toBe(1)
  expect(await of({ start_date: '2026-03-09', end_date: '2026-03-14' })).toBe(3)
  expect(await of({ end_date: '2025-12-31' })).toBe(2)
  expect(await of({ start_date: '2026-03-15' })).toBe(1)
  expect(await figuresOf(manager, { start_date: '2026-02-20', end_date: '2026-02-20' })).toMatchObject({
    total_orders: 1,
    total_revenue: 0.3,
    completion_rate: 100,
    average_processing_time_hours: 36,
    orders_by_brand: { Fiat: 1 },
    // Figures up to today are the same in any period.
    weekly_orders: 4,
    monthly_growth: 200,
  })
})

test('growth compares with a shorter month up to its end, and is 0 after a month without orders (ENT-21)', async () => {
  const at = async (now: string) =>
    (await readMetrics({ ...manager.ctx, clock: () => new Date(now) }, {})).monthly_growth
  // 31 March against all of February: 6 orders after 4.
  expect(await at('2026-03-31T12:00:00-03:00')).toBe(50)
  // 1 to 12 March against 1 to 12 February: 3 after 1.
  expect(await at('2026-03-12T12:00:00-03:00')).toBe(200)
  expect(await at('2026-01-20T12:00:00-03:00')).toBe(0)
})

test('customers are identified by document, else by name and phone, however they are written (ENT-22)', async () => {
  const company = await testApp.make.company()
  const of = (fields: object) => order('2026-03-01T12:00:00Z', { company_id: company.id, ...fields })
  await of({ customer_document: '52998224725', customer_name: 'José' })
  await of({ customer_document: '52998224725', customer_name: 'J. da Silva' })
  await of({ customer_name: 'José  da Silva', customer_phone: '(11) 98765-4321' })
  await of({ customer_name: ' JOSE DA SILVA', customer_phone: '11987654321' })
  await of({ customer_name: 'José da Silva' })
  await of({})
  const own = await testApp.as(await testApp.make.user({ company_id: company.id }))
  expect(await figuresOf(own)).toMatchObject({ total_orders: 6, total_customers: 3 })
  expect(await figuresOf(own, { start_date: '2026-03-01' })).toMatchObject({ total_customers: 3 })
  expect(await figuresOf(own, { start_date: '2026-03-02' })).toMatchObject({ total_customers: 0 })
})

describe('every user gets the figures of the own scope (D-39)', () => {
  test('all, a matriz with its filiais, one company, none', async () => {
    expect((await figuresOf(boss)).total_orders).toBeGreaterThan(18)
    expect(await figuresOf(technician)).toMatchObject({ total_orders: 2, active_companies: 0 })
    expect(await figuresOf(lost)).toMatchObject({
      total_orders: 0,
      completion_rate: 0,
      average_order_value: 0,
      average_processing_time_hours: 0,
      orders_by_brand: {},
      total_customers: 0,
    })
  })

  test('over REST and tRPC; a period that ends before it starts is refused (API-28)', async () => {
    const path = '/service-orders/dashboard/metrics'
    const answer = await manager.api('GET', `${path}?start_date=2026-02-01&end_date=2026-02-28`)
    expect(answer.json()).toMatchObject({ total_orders: 4, total_revenue: 1234.75 })
    expect((await technician.api('GET', `${path}/`)).json()).toMatchObject({ total_orders: 2 })
    for (const query of [
      'start_date=2026-02-02&end_date=2026-02-01',
      'start_date=02/02/2026',
      'end_date=0000-01-01',
    ])
      expect((await manager.api('GET', `${path}?${query}`)).statusCode).toBe(422)
  })
})

test('the five latest orders of the caller, newest first (DASH-6)', async () => {
  const recent = await readRecentOrders(manager.ctx)
  expect(recent.map(({ opened_at }) => opened_at.slice(0, 16))).toEqual([
    '2026-03-15T03:10',
    '2026-03-14T15:00',
    '2026-03-13T15:00',
    '2026-03-09T15:00',
    '2026-03-09T02:59',
  ])
})
