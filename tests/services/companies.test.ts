import { afterAll, describe, expect, test } from 'vitest'
import { cnpj } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const enterprise = (fields: object = {}) => ({
  trading_name: 'Concessionária Nova',
  legal_name: 'Nova Ltda',
  tax_id: cnpj(),
  type: 'matriz',
  ...fields,
})
const open = (fields: object = {}) => boss.api('POST', '/companies', enterprise(fields))
const change = (id: number, body: object) => boss.api('PATCH', `/companies/${id}`, body)
const eventsOf = (id: number) =>
  db
    .selectFrom('events')
    .where('subject', '=', 'company')
    .where('subject_id', '=', id)
    .orderBy('id')
    .selectAll()
    .execute()
const fieldOf = (answer: { statusCode: number; json(): { detail: unknown } }) => [
  answer.statusCode,
  answer.json().detail,
]
const refusedAt = (field: string, msg: unknown) => [422, [{ loc: ['body', field], msg }]]

describe('a new company (API-23)', () => {
  test('is stored without masks, with everything its page shows (ENT-4, ENT-5, D-52)', async () => {
    const made = await open({
      tax_id: '11.222.333/0001-81',
      state: 'sp',
      zip_code: '01310-100',
      city: ' ',
      phone: '(11) 3456-7890',
      email: 'contato@exemplo.com.br',
    })
    expect(made.json()).toMatchObject({
      tax_id: '11222333000181',
      company_name: 'Nova Ltda',
      state: 'SP',
      zip_code: '01310100',
      phone: '1134567890',
      city: null,
      is_active: true,
      parent_id: null,
      brand_ids: [],
    })
    expect(await eventsOf(made.json().id)).toMatchObject([
      { kind: 'created', changes: { tax_id: '11222333000181' } },
    ])
  })

  test('may have letters in its CNPJ, in any case and with its mask (D-42, COMP-20, COMP-21)', async () => {
    expect((await open({ tax_id: '12.abc.345/01de-35' })).json()).toMatchObject({ tax_id: '12ABC34501DE35' })
    expect(fieldOf(await open({ tax_id: '12ABC34501DE35' }))).toEqual([
      409,
      'Já existe uma empresa com este CNPJ.',
    ])
    for (const [tax_id, msg] of [
      ['', 'CNPJ é obrigatório'],
      ['12.ABC.345/01DE-3', 'CNPJ deve conter 14 dígitos'],
      ['12.ABC.345/01DE-34', 'CNPJ inválido'],
      ['12ABC34501DEAB', 'CNPJ inválido'],
      ['11.111.111/1111-11', 'CNPJ inválido'],
    ])
      expect(fieldOf(await open({ tax_id }))).toMatchObject(refusedAt('tax_id', msg))
  })

  test('12 times concurrently with one CNPJ: one wins, the rest conflict', async () => {
    const tax_id = cnpj()
    const answers = await Promise.all(Array.from({ length: 12 }, () => open({ tax_id })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(409)])
  })

  test('requires an active matriz for a filial (D-43, ENT-6, COMP-24)', async () => {
    const [matriz, idle] = [await testApp.make.company(), await testApp.make.company({ is_active: false })]
    const filial = await testApp.make.company({ parent_id: matriz.id })
    const made = await open({ type: 'filial', parent_id: matriz.id })
    expect(made.json()).toMatchObject({ type: 'filial', parent_id: matriz.id })
    expect(fieldOf(await open({ type: 'filial' }))).toMatchObject(
      refusedAt('parent_id', 'Empresa Matriz é obrigatória para filiais'),
    )
    for (const parent_id of [idle.id, filial.id, 999_999])
      expect(fieldOf(await open({ type: 'filial', parent_id }))).toMatchObject(
        refusedAt('parent_id', 'Escolha uma matriz ativa'),
      )
    expect((await open({ type: 'matriz', parent_id: matriz.id })).json()).toMatchObject({ parent_id: null })
  })

  test.each([
    [{ trading_name: ' ' }, 'trading_name', 'Nome Fantasia é obrigatório'],
    [{ legal_name: '' }, 'legal_name', 'Razão Social é obrigatória'],
    [{ type: 'rede' }, 'type', 'Tipo é obrigatório'],
    [{ state: 'SPX' }, 'state', 'Estado deve ter 2 caracteres (ex: SP)'],
    [{ email: 'x@' }, 'email', 'Endereço de email inválido'],
    [{ phone: '123' }, 'phone', 'Telefone inválido'],
    [{ zip_code: '123' }, 'zip_code', 'CEP deve conter 8 dígitos'],
    [{ address: 'a\u0000b' }, 'address', 'Contém caracteres inválidos'],
    [{ brand_ids: [999_999] }, 'brand_ids', 'Marca não encontrada'],
  ])('%j is refused at its field', async (fields, field, msg) => {
    expect(fieldOf(await open(fields))).toMatchObject(refusedAt(field, msg))
  })
})

describe('a change (API-25, API-26)', () => {
  test('changes the given fields, and the audit trail keeps both values (COMP-28)', async () => {
    const company = await testApp.make.company({ city: 'Santos' })
    const answer = await change(company.id, { city: null, trading_name: 'Outro Nome' })
    expect(answer.json()).toMatchObject({
      city: null,
      trading_name: 'Outro Nome',
      legal_name: company.legal_name,
    })
    await change(company.id, { trading_name: 'Outro Nome' })
    expect(await eventsOf(company.id)).toMatchObject([
      {
        kind: 'changed',
        changes: { city: ['Santos', null], trading_name: [company.trading_name, 'Outro Nome'] },
      },
    ])
  })

  test('keeps the tree two levels deep (D-43)', async () => {
    const [matriz, other] = [await testApp.make.company(), await testApp.make.company()]
    const filial = await testApp.make.company({ parent_id: matriz.id })
    expect(fieldOf(await change(matriz.id, { type: 'filial', parent_id: other.id }))).toEqual([
      409,
      'A matriz possui 1 filial e não pode virar filial.',
    ])
    expect(fieldOf(await change(other.id, { type: 'filial' }))).toMatchObject(
      refusedAt('parent_id', 'Empresa Matriz é obrigatória para filiais'),
    )
    expect(fieldOf(await change(other.id, { type: 'filial', parent_id: other.id }))).toMatchObject(
      refusedAt('parent_id', 'A empresa não pode ser matriz de si mesma'),
    )
    expect(fieldOf(await change(other.id, { type: 'filial', parent_id: filial.id }))).toMatchObject(
      refusedAt('parent_id', 'Escolha uma matriz ativa'),
    )
    expect((await change(filial.id, { type: 'matriz' })).json()).toMatchObject({ parent_id: null })
  })

  test('of two matrizes into each other’s filial concurrently: one wins, and none is a 500', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await testApp.make.company(), await testApp.make.company()]
      const answers = await Promise.all([
        change(a.id, { type: 'filial', parent_id: b.id }),
        change(b.id, { type: 'filial', parent_id: a.id }),
      ])
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      expect(answers.filter(({ statusCode }) => [409, 422].includes(statusCode))).toHaveLength(1)
    }
  })

  test('to a CNPJ in use is a 409', async () => {
    const [one, two] = [await testApp.make.company(), await testApp.make.company()]
    expect(fieldOf(await change(one.id, { tax_id: two.tax_id }))).toEqual([
      409,
      'Já existe uma empresa com este CNPJ.',
    ])
  })

  test('by a manager is limited to the own company and filiais, without type, CNPJ and parent (D-38)', async () => {
    const matriz = await testApp.make.company()
    const filial = await testApp.make.company({ parent_id: matriz.id })
    const { api } = await testApp.as(await testApp.make.user({ role: 'manager', company_id: matriz.id }))
    for (const { id, tax_id } of [matriz, filial]) {
      expect((await api('PATCH', `/companies/${id}`, { city: 'Santos', tax_id })).statusCode).toBe(200)
      expect((await api('PATCH', `/companies/${id}`, { tax_id: cnpj() })).statusCode).toBe(403)
    }
    expect((await api('PATCH', `/companies/${filial.id}`, { type: 'matriz' })).statusCode).toBe(403)
    const other = await testApp.make.company()
    expect((await api('PATCH', `/companies/${filial.id}`, { parent_id: other.id })).statusCode).toBe(403)
  })

  test('of «Marcas atendidas» replaces them all and is recorded (D-32)', async () => {
    const company = await testApp.make.company()
    const [a, b] = [await testApp.make.brand(), await testApp.make.brand()]
    expect((await change(company.id, { brand_ids: [b.id, a.id, b.id] })).json()).toMatchObject({
      brand_ids: [a.id, b.id],
    })
    expect((await change(company.id, { city: 'Santos' })).json()).toMatchObject({ brand_ids: [a.id, b.id] })
    expect((await change(company.id, { brand_ids: [] })).json()).toMatchObject({ brand_ids: [] })
    expect((await eventsOf(company.id)).map(({ changes }) => changes)).toEqual([
      { brand_ids: [[], [a.id, b.id]] },
      { city: [null, 'Santos'] },
      { brand_ids: [[a.id, b.id], []] },
    ])
    expect((await change(company.id, { brand_ids: [a.id, 999_999] })).statusCode).toBe(422)
    expect((await boss.api('GET', `/companies/${company.id}`)).json()).toMatchObject({ brand_ids: [] })
  })
})

describe('removing a company (API-27, D-17)', () => {
  const remove = (id: number) => boss.api('DELETE', `/companies/${id}`)

  test('without ties deletes it, its links too', async () => {
    const company = await testApp.make.company()
    await change(company.id, { brand_ids: [(await testApp.make.brand()).id] })
    expect((await remove(company.id)).json()).toEqual({ message: 'Empresa excluída com sucesso.' })
    expect((await remove(company.id)).statusCode).toBe(404)
    expect((await eventsOf(company.id)).at(-1)).toMatchObject({
      kind: 'deleted',
      changes: { tax_id: company.tax_id },
    })
  })

  test('with ties is a 409 that counts them', async () => {
    const company = await testApp.make.company()
    await testApp.make.user({ company_id: company.id })
    await testApp.make.company({ parent_id: company.id })
    await testApp.make.company({ parent_id: company.id })
    await testApp.make.order({ company_id: company.id })
    expect(fieldOf(await remove(company.id))).toEqual([
      409,
      'A empresa possui registros vinculados (1 usuário, 2 filiais, 1 OS). Desative em vez de excluir.',
    ])
  })

  test('that only deleted orders reference is a 409 too', async () => {
    const company = await testApp.make.company()
    await testApp.make.order({ company_id: company.id, deleted_at: new Date() })
    expect(fieldOf(await remove(company.id))).toEqual([
      409,
      'A empresa possui registros vinculados. Desative em vez de excluir.',
    ])
  })

  test('while users and filiais are added to it: one of the two wins, and none is a 500', async () => {
    for (let round = 0; round < 5; round++) {
      const company = await testApp.make.company()
      const person = {
        full_name: 'Pessoa',
        email: `corrida${round}@exemplo.com.br`,
        role: 'manager',
        company_id: company.id,
        password: 'uma-senha-longa',
      }
      const [removed, ...added] = await Promise.all([
        remove(company.id),
        boss.api('POST', '/users', person),
        open({ type: 'filial', parent_id: company.id }),
      ])
      const isGone = removed?.statusCode === 200
      expect(isGone ? 200 : 409).toBe(removed?.statusCode)
      if (isGone) expect(added.map(({ statusCode }) => statusCode)).toEqual([422, 422])
      else expect(added.map(({ statusCode }) => statusCode)).toContain(200)
    }
  })
})
