import { listTechnicians, readOrder } from '@garantia/server/features/orders/order'
import { type OrderChange, orderView } from '@garantia/shared/orders/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { createOrderFixture } from './order-fixture.ts'

const { testApp, db, filial, brand, clerk, technician, manager, admin, order, edit, eventsOf } =
  await createOrderFixture()
afterAll(() => testApp[Symbol.asyncDispose]())

describe('a change affects only the given fields (D-04, API-32)', () => {
  test('absent stays, null clears, and the difference is recorded', async () => {
    const { id } = await order({ customer_name: 'Maria', diagnosis: 'Gasto', service_value: 100.5 })
    expect(await edit(technician, id, { customer_name: 'Ana', diagnosis: null })).toMatchObject({
      customer_name: 'Ana',
      diagnosis: null,
      service_value: 100.5,
      version: 2,
    })
    expect(await eventsOf(id, 'changed')).toEqual([
      { customer_name: ['Maria', 'Ana'], diagnosis: ['Gasto', null] },
    ])
  })

  test('PUT and PATCH are the same, and return the whole order (MOD-4, MOD-19)', async () => {
    const { id } = await order({ customer_name: 'Maria', parts_value: 1 })
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await technician.api(method, `/service-orders/${id}`, { vehicle_color: method })
      expect(answer.statusCode).toBe(200)
      expect(orderView.parse(answer.json())).toMatchObject({
        vehicle_color: method,
        customer_name: 'Maria',
        parts_value: 1,
      })
    }
  })

  test('a change without a difference leaves no event and no new version', async () => {
    const { id } = await order({ customer_name: 'Maria', service_value: 10.1, vehicle_plate: 'ABC1234' })
    const same = { customer_name: ' Maria ', service_value: 10.1, vehicle_plate: 'abc-1234' } as OrderChange
    expect(await edit(technician, id, same)).toMatchObject({ version: 1 })
    expect(await edit(technician, id, {})).toMatchObject({ version: 1 })
    expect(await eventsOf(id, 'changed')).toEqual([])
  })

  test('the number, the total, the creator and the end of an order are read-only (VAL-3, EDP-1, D-12)', async () => {
    const { id, os_number } = await order({ service_value: 1, parts_value: 2 })
    const answer = await admin.api('PUT', `/service-orders/${id}`, {
      os_number: '999999',
      total_value: 5,
      completed_at: '2020-01-01T00:00:00Z',
      created_by: clerk.id,
      version: 1,
      deleted_at: '2020-01-01T00:00:00Z',
      conversion_status: 'available',
      vehicle_model: 'Y',
    })
    expect(answer.json()).toMatchObject({
      os_number,
      total_value: 3,
      completed_at: null,
      created_by: null,
      conversion_status: 'not_started',
      vehicle_model: 'Y',
      version: 2,
    })
    const row = testApp.kernel.ctx.db.selectFrom('service_orders').where('id', '=', id).select('deleted_at')
    expect(await row.executeTakeFirst()).toEqual({ deleted_at: null })
  })

  test('every rule of the form is the server’s too, and names its field (VAL-4 to VAL-14, VAL-15, CON-8 to CON-10)', async () => {
    const { id } = await order()
    const wrong: [keyof OrderChange, unknown, string][] = [
      ['brand_id', null, 'Marca é obrigatória'],
      ['brand_id', 0, 'Selecione uma marca'],
      ['company_id', null, 'Empresa é obrigatória'],
      ['company_id', 0, 'Selecione uma empresa'],
      ['vehicle_plate', 'ABC-1D23', 'Formato inválido de placa'],
      ['vehicle_chassis', '123', 'Chassi deve ter 17 caracteres'],
      ['vehicle_mileage', -1, 'A quilometragem não pode ser negativa'],
      ['vehicle_year', 1899, 'O ano deve ser a partir de 1900'],
      ['service_value', -0.01, 'O valor não pode ser negativo'],
      ['parts_value', 0.005, 'Use no máximo duas casas decimais'],
      ['customer_email', 'a@b', 'Email inválido'],
      ['customer_document', '111.111.111-11', 'CPF/CNPJ inválido'],
      ['customer_phone', '12', 'Telefone inválido'],
      ['status', 'aberta', 'Status desconhecido'],
      ['opened_at', 'ontem', 'Deve ser uma data e hora'],
      ['opened_at', '0001-01-01T00:00:00Z', 'A data de abertura é antiga demais'],
    ]
    for (const [field, value, msg] of wrong) {
      const answer = await admin.api('PUT', `/service-orders/${id}`, { [field]: value })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        [expect.objectContaining({ loc: ['body', field], msg })],
      ])
    }
    expect(await readOrder(admin.ctx, id)).toMatchObject({ version: 1 })
  })

  test('edit accepts a plate without its hyphen, masks and lower case (VAL-7, VAL-8, CON-9)', async () => {
    const { id } = await order()
    for (const [typed, stored] of [
      ['ABC1234', 'ABC1234'],
      ['abc-1234', 'ABC1234'],
      ['abc1d23', 'ABC1D23'],
      ['', null],
    ] as const)
      expect(
        (await admin.api('PUT', `/service-orders/${id}`, { vehicle_plate: typed })).json(),
      ).toMatchObject({ vehicle_plate: stored })
  })
})

describe('brand and company (D-32, VAL-5, VAL-6)', () => {
  test('a new brand must be active and served by the company; an unchanged one is not checked again', async () => {
    const old = await testApp.make.brand()
    const { id } = await order({ brand_id: old.id })
    await db.updateTable('brands').set({ is_active: false }).where('id', '=', old.id).execute()
    await edit(technician, id, { brand_id: old.id, vehicle_color: 'azul' })
    await db.insertInto('brand_companies').values({ brand_id: brand.id, company_id: filial.id }).execute()
    const other = await testApp.make.brand()
    for (const [change, loc, msg] of [
      [{ brand_id: 999_999 }, 'brand_id', 'Selecione uma marca'],
      [{ company_id: 999_999, brand_id: brand.id }, 'company_id', 'Selecione uma empresa'],
      [
        { brand_id: other.id, company_id: filial.id },
        'company_id',
        'Esta empresa não atende a marca escolhida',
      ],
    ] as const)
      await expect(edit(manager, id, change)).rejects.toMatchObject({ detail: [{ loc: [loc], msg }] })
    const foreign = await testApp.make.company()
    await expect(edit(manager, id, { company_id: foreign.id, brand_id: brand.id })).rejects.toMatchObject({
      detail: [{ loc: ['company_id'], msg: 'Selecione uma empresa' }],
    })
    expect(await edit(manager, id, { brand_id: brand.id, company_id: filial.id })).toMatchObject({
      brand_id: brand.id,
      company_id: filial.id,
    })
  })

  test('a move to a company with the same number is a conflict that names it (D-11)', async () => {
    const taken = await order({ company_id: filial.id })
    const { id } = await order({ os_number: taken.os_number })
    await expect(edit(manager, id, { company_id: filial.id })).rejects.toMatchObject({
      code: 'conflict',
      detail: `Já existe uma OS ${taken.os_number} nesta empresa.`,
    })
  })

  test('another brand re-evaluates the package, and so does filling in missing fields (decisions 2)', async () => {
    const asking = await testApp.make.brand({
      required_categories: JSON.stringify([{ category: 'odometro', min: 1 }]),
    })
    const { id } = await order({
      problem_description: 'Ruído',
      customer_name: 'Maria',
      customer_phone: '11987654321',
    })
    await testApp.make.converted({ order_id: id })
    await edit(technician, id, { vehicle_model: 'X' })
    expect(await readOrder(admin.ctx, id)).toMatchObject({ status: 'ready', conversion_status: 'available' })
    expect(await edit(technician, id, { brand_id: asking.id })).toMatchObject({ status: 'pending_upload' })
    expect(await eventsOf(id, 'status')).toEqual([
      { status: ['created', 'ready'] },
      { status: ['ready', 'pending_upload'] },
    ])
  })
})

describe('the technician (D-16, ENT-13)', () => {
  test('selecting one fills the name; a typed name, an empty choice and free text stay', async () => {
    const { id } = await order({ technician_name: 'Alguém de fora' })
    expect(await edit(manager, id, { technician_user_id: clerk.id })).toMatchObject({
      technician_name: 'Tina Técnica',
    })
    expect(await edit(manager, id, { technician_user_id: null })).toMatchObject({
      technician_user_id: null,
      technician_name: 'Tina Técnica',
    })
    expect(
      await edit(manager, id, { technician_user_id: clerk.id, technician_name: 'Tina T.' }),
    ).toMatchObject({ technician_name: 'Tina T.' })
    expect(await edit(manager, id, { technician_name: null })).toMatchObject({
      technician_user_id: clerk.id,
      technician_name: null,
    })
  })

  test('is a user of the order’s company, also when the company changes', async () => {
    const foreign = await testApp.make.user()
    const { id } = await order({ technician_user_id: clerk.id })
    for (const change of [{ technician_user_id: foreign.id }, { company_id: filial.id }])
      await expect(edit(manager, id, change)).rejects.toMatchObject({
        detail: [{ loc: ['technician_user_id'], msg: 'Técnico não encontrado nesta empresa' }],
      })
    expect(await edit(manager, id, { company_id: filial.id, technician_user_id: null })).toMatchObject({
      company_id: filial.id,
    })
  })

  test('of another company tells nothing about that company', async () => {
    const company = await testApp.make.company()
    const [theirs, other] = [await testApp.make.user({ company_id: company.id }), await testApp.make.user()]
    const { id } = await order()
    const refusals = []
    for (const { id: technician_user_id } of [theirs, other]) {
      const change = { company_id: company.id, technician_user_id }
      refusals.push((await manager.api('PATCH', `/service-orders/${id}`, change)).json())
    }
    expect(refusals[1]).toEqual(refusals[0])
    expect(refusals[0]).toMatchObject({ detail: [{ loc: ['body', 'company_id'] }] })
  })

  test('is selected from the active users of a company in scope', async () => {
    const ana = await testApp.make.user({ company_id: filial.id, full_name: 'Ana' })
    const rui = await testApp.make.user({ company_id: filial.id, full_name: 'Rui', role: 'manager' })
    await testApp.make.user({ company_id: filial.id, is_active: false })
    expect(await listTechnicians(manager.ctx, filial.id)).toEqual([
      { id: ana.id, full_name: 'Ana' },
      { id: rui.id, full_name: 'Rui' },
    ])
    await expect(listTechnicians(technician.ctx, filial.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the day of opening (D-13, ENT-10)', () => {
  test('can be set back by a manager, never into the future', async () => {
    const { id } = await order()
    const opened_at = '2026-01-05T12:00:00-03:00'
    await expect(edit(technician, id, { opened_at })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await edit(manager, id, { opened_at })).toMatchObject({ opened_at: '2026-01-05T15:00:00.000Z' })
    expect(await edit(technician, id, { opened_at, vehicle_color: 'azul' })).toMatchObject({ version: 3 })
    await expect(
      edit(admin, id, { opened_at: new Date(Date.now() + 60_000).toISOString() }),
    ).rejects.toMatchObject({
      code: 'invalid',
      detail: [{ loc: ['opened_at'], msg: 'A data de abertura não pode estar no futuro' }],
    })
  })
})

describe('a status inside an edit is checked by the same guard (decisions 2, MOD-5)', () => {
  test('fields and status change together, or not at all', async () => {
    const { id } = await order()
    await expect(edit(manager, id, { customer_name: 'Ana', status: 'ready' })).rejects.toMatchObject({
      detail: 'Transição de status não permitida: Criada → Pronta',
    })
    await expect(edit(manager, id, { customer_name: 'Ana', status: 'completed' })).rejects.toMatchObject({
      detail: expect.stringMatching(/^Problemas na validação: /),
    })
    expect(await readOrder(manager.ctx, id)).toMatchObject({ customer_name: null, version: 1 })
    const change = { customer_name: 'Ana', status: 'pending', reason: 'Aguardando peça' } as const
    expect(await edit(technician, id, change)).toMatchObject({ customer_name: 'Ana', status: 'pending' })
    expect(await eventsOf(id, 'status')).toEqual([
      { status: ['created', 'pending'], reason: 'Aguardando peça' },
    ])
    expect(await edit(technician, id, { customer_name: 'Rui', status: 'pending' })).toMatchObject({
      customer_name: 'Rui',
    })
    expect(await eventsOf(id, 'status')).toHaveLength(1)
  })

  test('a PUT may complete and reopen, with the same permissions', async () => {
    const { id } = await order()
    const path = `/service-orders/${id}`
    expect((await technician.api('PUT', path, { status: 'completed' })).statusCode).toBe(403)
    expect((await manager.api('PUT', path, { status: 'completed' })).json().status).toBe('completed')
    expect((await manager.api('PUT', path, { status: 'in_analysis', reason: 'x' })).statusCode).toBe(403)
    expect((await admin.api('PUT', path, { status: 'in_analysis' })).statusCode).toBe(422)
    expect((await admin.api('PUT', path, { status: 'in_analysis', reason: 'x' })).json()).toMatchObject({
      status: 'in_analysis',
      completed_at: null,
    })
  })
})
