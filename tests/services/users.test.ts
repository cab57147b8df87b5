import { afterAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const matriz = await testApp.make.company({ trading_name: 'Matriz' })
const filial = await testApp.make.company({ parent_id: matriz.id })
const foreign = await testApp.make.company()
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const leader = await testApp.make.user({ role: 'manager', company_id: matriz.id, full_name: 'Gestora Um' })
const manager = await testApp.as(leader)
const admin = await testApp.as(await testApp.make.user({ role: 'admin' }))
let serial = 0
const person = (fields: object = {}) => ({
  full_name: 'Técnico Novo',
  email: `tecnico${++serial}@exemplo.com.br`,
  role: 'technician',
  company_id: matriz.id,
  manager_id: leader.id,
  password: 'uma-senha-longa',
  ...fields,
})
const rowOf = (id: number) =>
  db.selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const me = async (token: string) =>
  (await testApp.anonymous.api('GET', '/users/me', undefined, { authorization: `Bearer ${token}` }))
    .statusCode
const eventsOf = (id: number) =>
  db.selectFrom('events').where('subject', '=', 'user').where('subject_id', '=', id).selectAll().execute()

describe('a new user (API-15)', () => {
  test('is stored without masks and signs in; the password is never returned (ENT-1, ENT-2, ENT-25, D-52)', async () => {
    const input = person({ cpf: '529.982.247-25', phone: '(11) 98765-4321', department: ' ' })
    const answer = await boss.api('POST', '/users', { ...input, confirm_password: input.password })
    expect(answer.json()).toMatchObject({
      cpf: '52998224725',
      phone: '11987654321',
      department: null,
      is_active: true,
    })
    expect(answer.body).not.toMatch(/password|senha/)
    const signedIn = await testApp.anonymous.api('POST', '/token', {
      username: input.email,
      password: input.password,
    })
    expect(signedIn.json()).toEqual({ access_token: expect.any(String), token_type: 'bearer' })
    expect(await eventsOf(answer.json().id)).toMatchObject([
      { kind: 'created', changes: { email: input.email } },
      { kind: 'signed_in' },
    ])
  })

  test('12 times concurrently with one user name: one wins, the rest conflict', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        boss.api('POST', '/users', person({ email: n % 2 ? 'joao' : 'JOAO' })),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(409)])
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({
      detail: 'Já existe um usuário com este email.',
    })
  })

  test.each([
    [{ manager_id: null }, 'manager_id', 'Gestor responsável é obrigatório para técnicos'],
    [{ manager_id: 999_999 }, 'manager_id', 'Gestor não encontrado'],
    [{ company_id: 999_999 }, 'company_id', 'Empresa não encontrada'],
    [{ company_id: undefined }, 'company_id', 'Empresa é obrigatória'],
    [{ role: 'rei' }, 'role', 'Função é obrigatória'],
    [{ full_name: ' ' }, 'full_name', 'Nome completo é obrigatório'],
    [{ email: 'x@y' }, 'email', 'Endereço de email inválido'],
    [{ cpf: '123' }, 'cpf', 'CPF deve conter 11 dígitos'],
    [{ cpf: '111.111.111-11' }, 'cpf', 'CPF inválido'],
    [{ password: 'curta' }, 'password', 'Senha deve ter pelo menos 8 caracteres'],
    [{ department: 'a\u0000b' }, 'department', 'Contém caracteres inválidos'],
    [{ is_superuser: 'sim' }, 'is_superuser', expect.any(String)],
  ])('%j is refused at its field', async (fields, field, msg) => {
    const answer = await boss.api('POST', '/users', person(fields))
    expect([answer.statusCode, answer.json().detail]).toMatchObject([422, [{ loc: ['body', field], msg }]])
  })

  test('reports to nobody unless a technician (ROLE-7), and to an active manager or admin only', async () => {
    const made = await boss.api('POST', '/users', person({ role: 'admin' }))
    expect(made.json()).toMatchObject({ role: 'admin', manager_id: null })
    for (const fields of [{}, { role: 'manager' as const, is_active: false }]) {
      const { id } = await testApp.make.user({ company_id: matriz.id, ...fields })
      expect((await boss.api('POST', '/users', person({ manager_id: id }))).statusCode).toBe(422)
    }
  })

  test('made by a manager is a technician of theirs who reports to them (D-38)', async () => {
    const made = await manager.api('POST', '/users', person({ company_id: filial.id, manager_id: 1 }))
    expect(made.json()).toMatchObject({ role: 'technician', manager_id: leader.id, company_id: filial.id })
    for (const fields of [
      { role: 'manager' },
      { role: 'admin' },
      { is_superuser: true },
      { company_id: foreign.id },
    ])
      expect([fields, (await manager.api('POST', '/users', person(fields))).statusCode]).toEqual([
        fields,
        403,
      ])
  })

  test('can be made superuser only by a superuser (D-40)', async () => {
    expect((await admin.api('POST', '/users', person({ is_superuser: true }))).statusCode).toBe(403)
    const made = await boss.api('POST', '/users', person({ is_superuser: true }))
    expect(made.json()).toMatchObject({ is_superuser: true })
  })
})

describe('a change (API-17, API-18)', () => {
  test('changes the given fields; a blank password keeps the old one; CPF null clears (ADM-32)', async () => {
    const user = await testApp.make.user({ cpf: '52998224725', phone: '1234-5678', company_id: matriz.id })
    const { token } = await testApp.as(user)
    const answer = await boss.api('PATCH', `/users/${user.id}`, {
      cpf: null,
      password: '',
      full_name: 'Novo',
    })
    expect(answer.json()).toMatchObject({ cpf: null, phone: '1234-5678', full_name: 'Novo' })
    expect((await rowOf(user.id)).password_hash).toBe(user.password_hash)
    expect(await me(token)).toBe(200)
    expect(await eventsOf(user.id)).toMatchObject([
      { kind: 'changed', changes: { cpf: ['52998224725', null], full_name: ['Pessoa de Teste', 'Novo'] } },
    ])
  })

  test('without a difference records no event', async () => {
    const user = await testApp.make.user()
    await boss.api('PUT', `/users/${user.id}`, { full_name: user.full_name })
    expect(await eventsOf(user.id)).toEqual([])
  })

  test.each([{ is_active: false }, { password: 'senha-trocada' }])(
    '%j ends every session of the user immediately',
    async (change) => {
      const user = await testApp.make.user()
      const { token } = await testApp.as(user)
      expect(await me(token)).toBe(200)
      expect((await boss.api('PATCH', `/users/${user.id}`, change)).statusCode).toBe(200)
      expect(await me(token)).toBe(401)
      await boss.api('PATCH', `/users/${user.id}`, { is_active: true })
      expect(await me(token)).toBe(401)
      expect(JSON.stringify(await eventsOf(user.id))).not.toMatch(/senha-trocada|argon2/)
    },
  )

  test('of role or company takes effect on the next call of the user (D-39)', async () => {
    const user = await testApp.make.user({ company_id: foreign.id })
    const { api } = await testApp.as(user)
    await boss.api('PATCH', `/users/${user.id}`, { company_id: matriz.id, role: 'manager' })
    const { scope, role } = (await api('GET', '/users/me')).json()
    expect([role, scope.sort()]).toEqual(['manager', [matriz.id, filial.id].sort()])
  })

  test('to manager clears the responsible manager; to technician requires one (ADM-29, ADM-30)', async () => {
    const user = await testApp.make.user({ company_id: matriz.id, manager_id: leader.id })
    const change = (body: object) => boss.api('PATCH', `/users/${user.id}`, body)
    expect((await change({ role: 'manager' })).json()).toMatchObject({ manager_id: null })
    expect((await change({ role: 'technician' })).json().detail[0]).toMatchObject({
      loc: ['body', 'manager_id'],
      msg: 'Gestor responsável é obrigatório para técnicos',
    })
    expect((await change({ role: 'technician', manager_id: leader.id })).statusCode).toBe(200)
  })

  test('to a login in use is a 409, whatever its case', async () => {
    const [one, two] = [await testApp.make.user(), await testApp.make.user()]
    const answer = await boss.api('PATCH', `/users/${one.id}`, { email: two.email.toUpperCase() })
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'Já existe um usuário com este email.'])
  })

  test('by a manager is limited to five fields of their own technicians (D-38)', async () => {
    const mine = await testApp.make.user({ company_id: matriz.id, manager_id: leader.id })
    const change = (body: object) => manager.api('PATCH', `/users/${mine.id}`, body)
    for (const body of [
      { full_name: 'Outro' },
      { phone: '1234-5678' },
      { department: 'D', position: 'P' },
      { is_active: false },
      { is_active: true },
    ])
      expect([body, (await change(body)).statusCode]).toEqual([body, 200])
    for (const body of [
      { email: 'outro@exemplo.com.br' },
      { cpf: null },
      { role: 'manager' },
      { company_id: filial.id },
      { manager_id: leader.id },
      { password: 'uma-senha-nova' },
      { is_superuser: false },
    ])
      expect([body, (await change(body)).statusCode]).toEqual([body, 403])
  })

  test('of oneself is refused here, and of a superuser to all but superusers (ROLE-6, D-40)', async () => {
    const { id } = await testApp.make.user({ is_superuser: true, company_id: matriz.id })
    for (const caller of [admin, manager])
      for (const method of ['PATCH', 'DELETE'] as const)
        expect((await caller.api(method, `/users/${id}`, { phone: null })).statusCode).toBe(403)
    for (const caller of [admin, boss]) {
      const self = caller.ctx.actor.kind === 'user' ? caller.ctx.actor.id : 0
      expect((await caller.api('PATCH', `/users/${self}`, { phone: null })).statusCode).toBe(403)
      expect((await caller.api('DELETE', `/users/${self}`)).statusCode).toBe(403)
    }
    const user = await testApp.make.user()
    expect((await admin.api('PATCH', `/users/${user.id}`, { is_superuser: true })).statusCode).toBe(403)
  })
})

describe('deleting a user (API-19, D-17)', () => {
  test('without ties deletes the row, with its sessions', async () => {
    const user = await testApp.make.user()
    const { token } = await testApp.as(user)
    const answer = await boss.api('DELETE', `/users/${user.id}`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Usuário excluído com sucesso.' }])
    expect(await me(token)).toBe(401)
    expect((await boss.api('DELETE', `/users/${user.id}`)).statusCode).toBe(404)
    expect(await eventsOf(user.id)).toMatchObject([{ kind: 'deleted', changes: { email: user.email } }])
  })

  test('with ties is a 409 that counts them', async () => {
    const user = await testApp.make.user({ role: 'manager', company_id: matriz.id })
    const order = await testApp.make.order({ created_by: user.id })
    await testApp.make.order({ technician_user_id: user.id })
    await testApp.make.evidence({ order_id: order.id, uploaded_by: user.id })
    await testApp.make.user({ manager_id: user.id })
    const answer = await boss.api('DELETE', `/users/${user.id}`)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'O usuário possui registros vinculados (2 OS, 1 evidência, 1 subordinado). Desative em vez de excluir.',
    ])
  })

  test('by two admins who delete each other concurrently is never a 500', async () => {
    const [a, b] = [await testApp.make.user({ role: 'admin' }), await testApp.make.user({ role: 'admin' })]
    const [asA, asB] = [await testApp.as(a), await testApp.as(b)]
    const answers = await Promise.all([
      asA.api('DELETE', `/users/${b.id}`),
      asB.api('DELETE', `/users/${a.id}`),
    ])
    for (const { statusCode } of answers) expect([200, 401]).toContain(statusCode)
    expect(answers.map(({ statusCode }) => statusCode)).toContain(200)
  })
})

test('a sign-in with the old password after a change is refused', async () => {
  const user = await testApp.make.user()
  await boss.api('PATCH', `/users/${user.id}`, { password: 'outra-senha-longa' })
  const answer = await testApp.anonymous.api('POST', '/token', { username: user.email, password: PASSWORD })
  expect(answer.statusCode).toBe(400)
})
