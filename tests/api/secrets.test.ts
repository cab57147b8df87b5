import { createFirstSuperuser } from '@garantia/server/features/people/users'
import { openLog } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { callProcedure } from './procedures.ts'

const lines: string[] = []
const testApp = await startTestApp(
  { FIRST_SUPERUSER: 'chefe' },
  openLog('trace', 'teste', { write: (line) => void lines.push(line) }),
)
afterAll(() => testApp[Symbol.asyncDispose]())

const CPF = '52998224725'
const secrets = new Map<string, string>([
  ['CPF', CPF],
  ['CPF com máscara', '529.982.247-25'],
  ['senha errada', 'Segredo-Errado-77'],
])

test('no token, password, CPF or signed URL is ever written to the log (reliability 18)', async () => {
  const first = await createFirstSuperuser(testApp.kernel.ctx)
  const password = first?.password ?? ''
  secrets.set('senha', password)
  const signIn = async (body: object) => testApp.anonymous.api('POST', '/login/access-token', body)
  const { access_token } = (await signIn({ username: 'chefe', password })).json()
  secrets.set('token', access_token)
  await signIn({ username: 'chefe', password: secrets.get('senha errada') })
  await callProcedure(testApp, '', 'auth.login', { username: 'chefe', password: secrets.get('senha errada') })
  await callProcedure(testApp, '', 'auth.login', { username: 'chefe', password: 7 })

  const headers = { authorization: `Bearer ${access_token}` }
  const api = (method: 'GET' | 'POST', path: string, body?: unknown, more = {}) =>
    testApp.anonymous.api(method, path, body, { ...headers, ...more })
  const made = await api('POST', '/tokens', { name: 'Integração', expires_in_days: 1, scope: 'all' })
  secrets.set('token de API', made.json().token)
  await testApp.anonymous.api('GET', '/users/me', undefined, { authorization: `Bearer ${made.json().token}` })
  const brand = await testApp.make.brand()
  const company = await testApp.make.company()
  const input = {
    os_number: '000001',
    brand_id: brand.id,
    company_id: company.id,
    customer_document: '529.982.247-25',
  }
  const order = (await api('POST', '/service-orders', input)).json()
  await api('POST', '/service-orders', input)
  await api('POST', '/service-orders', { ...input, os_number: 'x' })
  await api('GET', `/service-orders?search=${CPF}`)
  await api('GET', `/nada/${CPF}?access_token=${access_token}`)
  await api('POST', '/service-orders', `{"customer_document":"${CPF}",`, {
    'content-type': 'application/json',
  })
  await callProcedure(testApp, access_token, 'orderList.page', { search: CPF })
  await callProcedure(testApp, access_token, 'orders.open', { ...input, brand_id: 0 })

  const boss = await testApp.as({ id: 1 })
  secrets.set('segundo token', boss.token)
  const { uploaded } = (await boss.upload(order.id, [{ filename: 'a.jpg', content: await picture() }])).json()
  await testApp.kernel.ctx.db
    .updateTable('evidence_files')
    .set({ preview_key: 'os/1/nada/preview' })
    .where('id', '=', uploaded[0].id)
    .execute()
  const [file] = (await boss.api('GET', `/evidence/${order.id}/evidence`)).json().evidence_files
  const signature = file.thumbnail_url.split('/').at(-1)
  secrets.set('assinatura', signature)
  await testApp.app.inject({ method: 'GET', url: file.thumbnail_url })
  await testApp.app.inject({ method: 'GET', url: `/media/${file.id}/preview/%zz${signature}` })

  // A server fault: PostgreSQL repeats the row in its error.
  await sql`alter table service_orders add constraint falha check (customer_name <> 'Falha')`.execute(
    testApp.owner.db,
  )
  const broken = await testApp.app.inject({
    method: 'POST',
    url: '/api/v1/service-orders',
    headers,
    payload: { ...input, os_number: '000002', customer_name: 'Falha' },
  })
  expect([broken.statusCode, broken.json()]).toEqual([500, { detail: 'Internal Server Error' }])
  expect(
    (
      await callProcedure(testApp, access_token, 'orders.open', {
        ...input,
        os_number: '000003',
        customer_name: 'Falha',
      })
    ).error,
  ).toMatchObject({
    data: { detail: 'Internal Server Error', http_status: 500 },
  })

  const written = lines.join('')
  for (const [name, secret] of secrets)
    expect([name, secret.length > 8, written.includes(secret)]).toEqual([name, true, false])
})

test('a server fault is logged once, with its cause and its place (reliability 23)', () => {
  const failures = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  expect(failures.map(({ err }) => err.constraint)).toEqual(expect.arrayContaining(['falha']))
  expect(failures.filter(({ err }) => err.constraint === 'falha')).toHaveLength(2)
})

test('a response is one log line, with the route instead of the URL', () => {
  const answers = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'resposta')
  expect(answers.length).toBeGreaterThan(15)
  expect(answers).toContainEqual(
    expect.objectContaining({
      method: 'GET',
      route: '/media/:id/preview/:signature',
      status: expect.any(Number),
    }),
  )
  expect(answers).toContainEqual(
    expect.objectContaining({
      method: 'POST',
      route: '/api/v1/service-orders',
      status: 409,
      ms: expect.any(Number),
    }),
  )
})
