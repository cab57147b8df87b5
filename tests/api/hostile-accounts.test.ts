import { signUpInput } from '@garantia/shared/auth/schema'
import { companyInput } from '@garantia/shared/companies/schema'
import { userInput } from '@garantia/shared/users/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { cnpj } from '../support/make.ts'
import { PASSWORD, startTestApp } from '../support/test-app.ts'
import { callProcedure } from './procedures.ts'

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0', LOGIN_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const matriz = await testApp.make.company()
const manager = await testApp.make.user({ role: 'manager', company_id: matriz.id })
const NUL = '\u0000'

let serial = 0
const VALID: Record<string, () => Record<string, unknown>> = {
  '/login/access-token': () => ({ username: 'ninguem', password: 'errada-errada' }),
  '/users/signup': () => ({
    full_name: 'Ana Maria',
    email: `ana${++serial}@exemplo.com.br`,
    password: 'uma-senha-longa',
    confirm_password: 'uma-senha-longa',
  }),
  '/reset-password': () => ({ token: 'nenhuma', new_password: 'uma-senha-longa' }),
  '/users': () => ({
    full_name: 'Ana Maria',
    email: `tecnica${++serial}@exemplo.com.br`,
    cpf: '529.982.247-25',
    role: 'technician',
    company_id: matriz.id,
    manager_id: manager.id,
    phone: '(11) 98765-4321',
    department: 'Oficina',
    position: 'Chefe',
    is_active: true,
    is_superuser: false,
    password: 'uma-senha-longa',
    confirm_password: 'uma-senha-longa',
  }),
  '/companies': () => ({
    trading_name: 'Nova',
    legal_name: 'Nova Ltda',
    tax_id: cnpj(),
    type: 'filial',
    parent_id: matriz.id,
    address: 'Rua A',
    city: 'Santos',
    state: 'SP',
    zip_code: '01310-100',
    phone: '1234-5678',
    email: 'a@b.co',
    is_active: true,
    brand_ids: [],
    write_off_limit: 1500.5,
  }),
}
const PROCEDURE: Record<string, string> = {
  '/login/access-token': 'auth.login',
  '/users/signup': 'auth.signUp',
  '/reset-password': 'auth.reset',
  '/users': 'users.open',
  '/companies': 'companies.open',
}
const HUGE = Buffer.alloc(50_000_000, 'x')
const HOSTILE: unknown[] = [
  NUL,
  `a${NUL}b@exemplo.com.br`,
  '\ud800',
  'x'.repeat(10_000),
  "'; drop table users; --",
  '💥',
  '',
  ' ',
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  [],
  [NUL],
  {},
  { toString: 'x' },
]

test('every field of the forms is fuzzed', () => {
  const keys = (body: Record<string, unknown> | undefined) => Object.keys(body ?? {}).sort()
  expect(keys(VALID['/users']?.())).toEqual(Object.keys(userInput.shape).sort())
  expect(keys(VALID['/companies']?.())).toEqual(Object.keys(companyInput.shape).sort())
  expect(keys(VALID['/users/signup']?.())).toEqual(Object.keys(signUpInput.shape).sort())
})

describe.each(Object.entries(VALID))('%s', (path, valid) => {
  test.each(Object.keys(valid()))(
    'answers any %s with a documented status, equal over REST and tRPC',
    async (field) => {
      for (const value of HOSTILE) {
        const rest = await boss.api('POST', path, { ...valid(), [field]: value })
        expect([value, [200, 400, 422].includes(rest.statusCode)]).toEqual([value, true])
        const answer = await callProcedure(testApp, boss.token, PROCEDURE[path] ?? '', {
          ...valid(),
          [field]: value,
        })
        expect([value, [200, 400, 422].includes(answer.status)]).toEqual([value, true])
        if (rest.statusCode === 422)
          expect([value, answer.error?.data.detail]).toEqual([value, rest.json().detail])
      }
    },
  )

  test('refuses 50 MB as JSON and as a form, without echoing it', async () => {
    const [field = ''] = Object.keys(valid()).slice(-1)
    const post = (url: string, type: string, start: string, end = '') =>
      testApp.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${boss.token}`, 'content-type': type },
        payload: Buffer.concat([Buffer.from(start), HUGE, Buffer.from(end)]),
      })
    const json = await post(`/api/v1${path}`, 'application/json', `{"${field}":"`, '"}')
    const form = await post(`/api/v1${path}`, 'application/x-www-form-urlencoded', `${field}=`)
    const trpc = await post(`/trpc/${PROCEDURE[path]}`, 'application/json', `{"${field}":"`, '"}')
    expect([json, form, trpc].map(({ statusCode }) => statusCode)).toEqual([413, 413, 413])
    expect(json.body.length).toBeLessThan(200)
  })
})

describe('input in the URL', () => {
  test.each([
    '/users?skip=-1',
    '/users?limit=0',
    '/users?limit=101',
    '/users?limit=1e1',
    '/users?search=%00',
    '/companies?skip=-1',
    '/companies?limit=-5',
    '/companies?is_active=talvez',
    '/companies?type=rede',
    '/companies?search=%00',
    '/companies/active?skip=x',
    '/companies/paginated?page=-1',
    '/users/0',
    '/users/-1',
    '/users/%00',
    '/users/eu',
    '/users/9999999999999999',
    '/companies/1e3',
    '/companies/x',
  ])('%s is 422', async (path) => {
    expect((await boss.api('GET', path)).statusCode).toBe(422)
  })

  test('of recovery is parsed as an address or refused', async () => {
    for (const email of ['%00', '%0d%0aBcc:x@y.co', '..%2f..', 'x'.repeat(4_000), '%F0%9F%92%A5@b.co', '%20'])
      expect([email, (await boss.api('POST', `/password-recovery/${email}`)).statusCode]).toEqual([
        email,
        422,
      ])
    const url = `/api/v1/password-recovery/${'x'.repeat(5_001)}@b.co`
    const answer = await testApp.app.inject({ method: 'POST', url })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([414, ['detail']])
  })

  test('a skip far beyond the end returns an empty page', async () => {
    expect((await boss.api('GET', '/users?skip=10000000')).json().data).toEqual([])
    expect((await boss.api('GET', '/companies/paginated?page=1000000&size=100')).json().data).toEqual([])
  })

  test.each(['/users/999999999999999', '/companies/999999999999999'])('%s is 404', async (path) => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await boss.api(method, path, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404)
  })
})

test('no hostile value identifies a session, a mail or a manager', async () => {
  for (const [path, key] of [
    ['account.closeSession', 'id'],
    ['mail.one', 'id'],
    ['users.managers', 'except'],
    ['users.one', 'id'],
    ['companies.one', 'id'],
  ] as const)
    for (const value of HOSTILE) {
      const { status } = await callProcedure(testApp, boss.token, path, { [key]: value })
      expect([path, value, status]).toEqual([path, value, 422])
    }
})

test('changing the own profile accepts no fields beyond the own ones', async () => {
  const user = await testApp.make.user()
  const { api } = await testApp.as(user)
  const keys = { id: 1, password_hash: 'x', version: 9, is_active: false, created_at: null, manager_id: 1 }
  expect((await api('PATCH', '/users/me', keys)).statusCode).toBe(200)
  expect(
    (await boss.api('PATCH', `/users/${user.id}`, { id: 1, password_hash: 'x', version: 9 })).json(),
  ).toMatchObject({
    id: user.id,
    is_active: true,
  })
  const login = { username: user.email, password: PASSWORD }
  expect((await testApp.anonymous.api('POST', '/token', login)).statusCode).toBe(200)
})
