import { MAX_BATCH } from '@garantia/shared/batch'
import { orderView } from '@garantia/shared/orders/schema'
import { meView } from '@garantia/shared/users/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApp } from '../support/test-app.ts'
import { callProcedure } from './procedures.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const user = await testApp.make.user({ is_superuser: true })
const { token } = await testApp.as(user)
const order = await testApp.make.order()
const call = (path: string, input?: unknown) => callProcedure(testApp, token, path, input)
const input = { os_number: '000009', brand_id: order.brand_id, company_id: order.company_id }

test('a procedure answers the same as its REST call (reliability 24)', async () => {
  const boss = await testApp.as(user)
  expect(meView.parse((await call('account.me')).data)).toEqual((await boss.api('GET', '/users/me')).json())
  expect(orderView.parse((await call('orders.one', { id: order.id })).data)).toEqual(
    (await boss.api('GET', `/service-orders/${order.id}`)).json(),
  )
  expect((await call('brands.list')).data).toEqual((await boss.api('GET', '/brands')).json())
})

describe('a refusal carries the same detail as in REST (D-02, reliability 24)', () => {
  test('as a sentence', async () => {
    expect(await call('orders.one', { id: 999 })).toEqual({
      status: 404,
      data: undefined,
      error: {
        code: -32004,
        message: 'Ordem de serviço não encontrada',
        data: { code: 'NOT_FOUND', detail: 'Ordem de serviço não encontrada', http_status: 404 },
      },
    })
  })

  test('as a list of locations', async () => {
    const { status, error } = await call('orders.open', { ...input, os_number: '12', brand_id: 0 })
    expect([status, error?.message]).toEqual([422, 'Validation Error'])
    expect(error?.data).toEqual({
      code: 'UNPROCESSABLE_CONTENT',
      http_status: 422,
      detail: [
        { loc: ['body', 'os_number'], msg: 'Número da OS deve ter 6 dígitos', type: 'value_error' },
        { loc: ['body', 'brand_id'], msg: 'Selecione uma marca', type: 'greater_than' },
      ],
    })
  })

  test('of a use case too, located in the body', async () => {
    const { error } = await call('orders.open', { ...input, brand_id: 999 })
    expect(error?.data).toMatchObject({
      http_status: 422,
      detail: [{ loc: ['body', 'brand_id'], msg: 'Selecione uma marca', type: 'value_error' }],
    })
  })

  test('as a conflict', async () => {
    expect((await call('orders.open', input)).status).toBe(200)
    expect((await call('orders.open', input)).error?.data).toEqual({
      code: 'CONFLICT',
      detail: 'Já existe uma OS 000009 nesta empresa.',
      http_status: 409,
    })
  })

  test('for an unknown procedure', async () => {
    expect((await call('orders.nada')).error?.data).toEqual({
      code: 'NOT_FOUND',
      detail: 'Not Found',
      http_status: 404,
    })
  })

  test('for a body that is not JSON', async () => {
    const answer = await testApp.app.inject({
      method: 'POST',
      url: '/trpc/orders.open',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: '{bad',
    })
    expect([400, 422]).toContain(answer.statusCode)
    expect(answer.body).toContain('detail')
  })

  test('and never a stack or an SQL text', async () => {
    for (const bad of [{ id: 'x' }, null, 'x', [], { id: 1e30 }]) {
      const answer = await call('orders.one', bad)
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer)).not.toMatch(/node_modules|select |at /)
    }
  })
})

test('the same invalid input gets the same answer over REST and tRPC (reliability 24)', async () => {
  const boss = await testApp.as(user)
  for (const body of [
    {},
    { ...input, os_number: 7, brand_id: '1' },
    { ...input, brand_id: null, vehicle_year: 1.5 },
    { ...input, service_value: -1, customer_document: '123', customer_name: 5 },
    { ...input, parts_value: 0.001, technician_user_id: 0 },
  ]) {
    const rest = await boss.api('POST', '/service-orders', body)
    const { status, error } = await call('orders.open', body)
    expect([status, error?.data.detail]).toEqual([rest.statusCode, rest.json().detail])
  }
})

test.each([
  [
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
  ],
  ['application/x-www-form-urlencoded', 'username=x&password=y'],
  ['application/octet-stream', 'x'],
  ['application/offset+octet-stream', 'x'],
])('no body is read but JSON: %s is refused', async (type, payload) => {
  const answer = await testApp.app.inject({
    method: 'POST',
    url: '/trpc/auth.login',
    headers: { 'content-type': type },
    payload,
  })
  expect([answer.statusCode, answer.json()]).toEqual([415, { detail: 'Tipo de conteúdo não aceito.' }])
})

test('a batch answers each call on its own', async () => {
  const inputs = encodeURIComponent(JSON.stringify({ 0: {}, 1: { id: 999 }, 2: { id: order.id } }))
  const answer = await testApp.app.inject({
    method: 'GET',
    url: `/trpc/account.me,orders.one,orders.one?batch=1&input=${inputs}`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode).toBe(207)
  const [me, missing, found] = answer.json()
  expect(me.result.data.id).toBe(user.id)
  expect(missing.error.data.http_status).toBe(404)
  expect(found.result.data.id).toBe(order.id)
})

test('a batch has twenty calls at most, over GET and POST', async () => {
  const batchOf = (calls: number) =>
    testApp.app.inject({
      method: 'GET',
      url: `/trpc/${Array(calls).fill('account.me').join(',')}?batch=1&input=%7B%7D`,
      headers: { authorization: `Bearer ${token}` },
    })
  const long = await batchOf(MAX_BATCH)
  expect([long.statusCode, long.json().length]).toEqual([200, MAX_BATCH])
  expect((await batchOf(MAX_BATCH + 1)).statusCode).toBe(400)
  expect([400, 403, 404, 414]).toContain((await batchOf(1_000)).statusCode)
  const logins = Array.from({ length: 300 }, (_, n) => ({
    username: `ninguem${n}`,
    password: 'errada-errada',
  }))
  const flood = await testApp.app.inject({
    method: 'POST',
    url: `/trpc/${logins.map(() => 'auth.login').join(',')}?batch=1`,
    payload: { ...logins },
  })
  expect(flood.statusCode).toBe(400)
  const tried = await testApp.kernel.ctx.db.selectFrom('attempts').select('bucket').execute()
  expect(tried.filter(({ bucket }) => bucket.startsWith('login'))).toEqual([])
})

test('a session is opened and ended over tRPC, and a wrong password is not 401 (D-03)', async () => {
  const wrong = await callProcedure(testApp, '', 'auth.login', { username: user.email, password: 'errada' })
  expect([wrong.status, wrong.error?.data.detail]).toEqual([400, 'Incorrect email or password'])
  const { data } = await callProcedure(testApp, '', 'auth.login', {
    username: user.email,
    password: PASSWORD,
  })
  const { access_token } = data as { access_token: string }
  const [json, form] = [{ username: user.email, password: PASSWORD }, '/api/v1/login/access-token']
  for (const url of ['/trpc/auth.login', form]) {
    const answer = await testApp.app.inject({ method: 'POST', url, payload: json })
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 200, 'no-store'])
  }
  expect((await callProcedure(testApp, access_token, 'account.me')).status).toBe(200)
  expect((await callProcedure(testApp, access_token, 'auth.logout')).status).toBe(200)
  expect((await callProcedure(testApp, access_token, 'account.me')).status).toBe(401)
})
