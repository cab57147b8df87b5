import { listOrders } from '@garantia/server/features/orders/list'
import { openOrder, readOrder } from '@garantia/server/features/orders/order'
import { orderInput, orderView } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const brand = await testApp.make.brand()
const company = await testApp.make.company()
const clerk = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const numbered = (os_number: string, fields: object = {}) =>
  orderInput.parse({ os_number, brand_id: brand.id, company_id: company.id, ...fields })

test('an order opens as «Criada» with its names, its total and its creator (D-12, ENT-9, ENT-14)', async () => {
  const order = await openOrder(
    clerk.ctx,
    numbered('000123', {
      vehicle_plate: 'abc-1234',
      customer_document: '529.982.247-25',
      service_value: 1234.35,
      parts_value: 0.1,
      total_value: 999,
    }),
  )
  expect(orderView.parse(order)).toMatchObject({
    os_number: '000123',
    brand: { display_name: brand.display_name },
    company: { trading_name: company.trading_name, company_name: company.legal_name },
    status: 'created',
    conversion_status: 'not_started',
    days_open: 0,
    vehicle_plate: 'ABC1234',
    customer_document: '52998224725',
    total_value: 1234.45,
    completed_at: null,
  })
  const [event] = await testApp.kernel.ctx.db
    .selectFrom('events')
    .where('subject_id', '=', order.id)
    .where('subject', '=', 'order')
    .selectAll()
    .execute()
  expect(event).toMatchObject({ kind: 'opened', changes: { os_number: '000123' } })
})

test('three fields open an order, and none of them may be missing (D-14, NEW-1, VAL-15)', async () => {
  expect(await openOrder(clerk.ctx, numbered('000124'))).toMatchObject({
    os_number: '000124',
    vehicle_model: null,
    customer_name: null,
    problem_description: null,
    service_value: null,
    total_value: 0,
    version: 1,
  })
  const { body, ...answer } = await clerk.api('POST', '/service-orders', {})
  expect([answer.statusCode, JSON.parse(body).detail.map((one: { msg: string }) => one.msg)]).toEqual([
    422,
    ['Número da OS é obrigatório', 'Marca é obrigatória', 'Empresa é obrigatória'],
  ])
})

test('every field of the form comes back as it was typed, without its mask (ENT-9 to ENT-14, API-30, API-31, D-52)', async () => {
  const colleague = await testApp.make.user({ company_id: company.id, full_name: 'Lia Lima' })
  const typed = {
    vehicle_model: 'Onix 1.0',
    vehicle_year: new Date().getFullYear() + 1,
    vehicle_color: 'Prata',
    vehicle_plate: 'abc1d23',
    vehicle_chassis: '9bgrd08x04g117974',
    vehicle_mileage: 0,
    vehicle_value: 89_990.9,
    customer_name: 'João D’Ávila',
    customer_email: 'joao@exemplo.com.br',
    customer_phone: '(11) 98765-4321',
    customer_document: '11.222.333/0001-81',
    technician_name: 'Rui',
    responsible_user_id: colleague.id,
    problem_description: 'Ruído\nao frear',
    diagnosis: 'Pastilha gasta',
    solution_applied: 'Troca',
    parts_replaced: 'Pastilhas dianteiras',
    service_value: 0.1,
    parts_value: 0.2,
  }
  const sent = { os_number: '000125', brand_id: brand.id, company_id: company.id, ...typed, total_value: 7 }
  const { id } = (await clerk.api('POST', '/service-orders', sent)).json()
  const order = (await clerk.api('GET', `/service-orders/${id}`)).json()
  expect(order).toMatchObject({
    ...typed,
    brand: { id: brand.id, display_name: brand.display_name },
    company: { trading_name: company.trading_name, company_name: company.legal_name },
    responsible_name: 'Lia Lima',
    vehicle_plate: 'ABC1D23',
    vehicle_chassis: '9BGRD08X04G117974',
    customer_phone: '11987654321',
    customer_document: '11222333000181',
    total_value: 0.3,
    completed_at: null,
    days_open: 0,
  })
  expect(new Date(order.opened_at).toISOString()).toBe(order.opened_at)
})

test('a refusal is a sentence or a list of locations, always in «detail» (ERR-1, ERR-2, ERR-4, ERR-5, CON-7)', async () => {
  const wrong = await clerk.api('POST', '/service-orders', numbered('000125', { company_id: company.id }))
  expect([wrong.statusCode, wrong.json()]).toEqual([
    409,
    { detail: 'Já existe uma OS 000125 nesta empresa.' },
  ])
  for (const os_number of ['12345', '1234567', '12345a', ' ', '１２３４５６']) {
    const answer = await clerk.api('POST', '/service-orders', { ...numbered('000126'), os_number })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0]).toMatchObject({
      loc: ['body', 'os_number'],
      msg: expect.stringMatching(/^Número da OS (deve ter 6 dígitos|é obrigatório)$/),
      type: expect.any(String),
    })
  }
  expect((await clerk.api('GET', '/service-orders/999999')).json()).toEqual({
    detail: 'Ordem de serviço não encontrada',
  })
})

test('the same number again in one company is a conflict that names it (D-11)', async () => {
  await openOrder(clerk.ctx, numbered('000200'))
  await expect(openOrder(clerk.ctx, numbered('000200'))).rejects.toMatchObject({
    code: 'conflict',
    detail: 'Já existe uma OS 000200 nesta empresa.',
  })
})

test('of twelve concurrent orders with one number one wins and eleven conflict (D-11)', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 12 }, () => openOrder(clerk.ctx, numbered('000300'))),
  )
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusals = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refusals.map(({ code, detail }) => ({ code, detail }))).toEqual(
    Array(11).fill({ code: 'conflict', detail: 'Já existe uma OS 000300 nesta empresa.' }),
  )
  expect(
    await testApp.kernel.ctx.db
      .selectFrom('events')
      .where('kind', '=', 'opened')
      .where(sql<boolean>`changes ->> 'os_number' = '000300'`)
      .selectAll()
      .execute(),
  ).toHaveLength(1)
})

test('twelve concurrent REST orders with one number, in each of two companies: one wins in each (D-11)', async () => {
  const other = await testApp.make.company()
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const company_id = n % 2 ? company.id : other.id
      const answer = await boss.api('POST', '/service-orders', numbered('000350', { company_id }))
      return { company_id, status: answer.statusCode, body: answer.json() }
    }),
  )
  for (const { id } of [company, other]) {
    const own = answers.filter(({ company_id }) => company_id === id)
    expect(own.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(own.filter(({ status }) => status !== 200)).toEqual(
      Array(11).fill({
        company_id: id,
        status: 409,
        body: { detail: 'Já existe uma OS 000350 nesta empresa.' },
      }),
    )
  }
})

test('two companies may use the same number (D-11)', async () => {
  const other = await testApp.make.company()
  await openOrder(boss.ctx, numbered('000400'))
  await expect(openOrder(boss.ctx, numbered('000400', { company_id: other.id }))).resolves.toMatchObject({
    os_number: '000400',
  })
})

test('the number of a deleted order is free again (D-11)', async () => {
  const { id } = await openOrder(clerk.ctx, numbered('000500'))
  await testApp.kernel.ctx.db
    .updateTable('service_orders')
    .set({ deleted_at: new Date() })
    .where('id', '=', id)
    .execute()
  await expect(readOrder(clerk.ctx, id)).rejects.toMatchObject({
    code: 'not_found',
    detail: 'Ordem de serviço não encontrada',
  })
  await expect(openOrder(clerk.ctx, numbered('000500'))).resolves.toMatchObject({ status: 'created' })
})

test('an inactive or unknown brand cannot be chosen (VAL-5)', async () => {
  const inactive = await testApp.make.brand({ is_active: false })
  for (const brand_id of [inactive.id, 999_999])
    await expect(openOrder(clerk.ctx, numbered('000600', { brand_id }))).rejects.toMatchObject({
      code: 'invalid',
      detail: [{ loc: ['brand_id'], msg: 'Selecione uma marca' }],
    })
})

test('a company that does not serve the brand, is inactive or out of scope cannot be chosen (D-32, VAL-6)', async () => {
  const linked = await testApp.make.company()
  await testApp.kernel.ctx.db
    .insertInto('brand_companies')
    .values({ brand_id: (await testApp.make.brand()).id, company_id: linked.id })
    .execute()
  await expect(openOrder(boss.ctx, numbered('000700', { company_id: linked.id }))).rejects.toMatchObject({
    detail: [{ loc: ['company_id'], msg: 'Esta empresa não atende a marca escolhida' }],
  })
  const inactive = await testApp.make.company({ is_active: false })
  const foreign = await testApp.make.company()
  for (const [ctx, company_id] of [
    [boss.ctx, inactive.id],
    [clerk.ctx, foreign.id],
    [boss.ctx, 999_999],
  ] as const)
    await expect(openOrder(ctx, numbered('000700', { company_id }))).rejects.toMatchObject({
      detail: [{ loc: ['company_id'], msg: 'Selecione uma empresa' }],
    })
})

test('selecting a technician of the company fills the name; free text stays (D-16)', async () => {
  const technician_user_id = (await testApp.make.user({ company_id: company.id, full_name: 'Rui Mecânico' }))
    .id
  expect(await openOrder(clerk.ctx, numbered('000801', { technician_user_id }))).toMatchObject({
    technician_name: 'Rui Mecânico',
    technician_user_id,
  })
  expect(await openOrder(clerk.ctx, numbered('000802', { technician_name: 'Alguém de fora' }))).toMatchObject(
    {
      technician_name: 'Alguém de fora',
      technician_user_id: null,
    },
  )
})

test('an unknown, inactive or foreign technician is refused with the name of the field (D-16)', async () => {
  const inactive = await testApp.make.user({ company_id: company.id, is_active: false })
  const foreign = await testApp.make.user()
  for (const technician_user_id of [999_999, inactive.id, foreign.id])
    await expect(openOrder(clerk.ctx, numbered('000800', { technician_user_id }))).rejects.toMatchObject({
      code: 'invalid',
      detail: [{ loc: ['technician_user_id'], msg: 'Técnico não encontrado nesta empresa' }],
    })
})

test('days open are calendar days in São Paulo and stop when the order ends (D-13)', async () => {
  const at = (now: string) => ({ ...boss.ctx, clock: () => new Date(now) })
  const { id } = await testApp.make.order({ opened_at: new Date('2026-11-01T02:30:00Z') })
  // 02:30 UTC is still 31 October in São Paulo.
  expect((await readOrder(at('2026-11-01T03:30:00Z'), id)).days_open).toBe(1)
  await testApp.kernel.ctx.db
    .updateTable('service_orders')
    .set({ status: 'completed', completed_at: new Date('2026-11-04T12:00:00Z') })
    .where('id', '=', id)
    .execute()
  expect((await readOrder(at('2027-01-01T00:00:00Z'), id)).days_open).toBe(4)
})

test('a user without a company sees no order (D-39)', async () => {
  const userWithoutCompany = await testApp.as(await testApp.make.user({ company_id: null }))
  expect(await listOrders(userWithoutCompany.ctx, {})).toMatchObject({ items: [], total: 0 })
})
