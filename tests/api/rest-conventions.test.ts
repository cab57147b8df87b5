import { accessToken } from '@garantia/shared/auth/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../server/src/api/endpoints.ts'
import { PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const user = await testApp.make.user({ is_superuser: true, email: 'chefe@exemplo.com.br' })
const boss = await testApp.as(user)
const brand = await testApp.make.brand()
const company = await testApp.make.company()
const { id: o } = await testApp.make.order({ brand_id: brand.id, company_id: company.id })

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const login = `grant_type=password&username=CHEFE%40exemplo.com.br&password=${PASSWORD}`
const newOrder = (os_number: string) => ({
  os_number,
  brand_id: brand.id,
  company_id: company.id,
  customer_document: '529.982.247-25',
  customer_phone: '(11) 98765-4321',
  vehicle_year: 2024,
  service_value: 10.5,
  parts_value: 1,
  total_value: 999,
})

describe('an opened order (API-31)', () => {
  test('is stored normalised, with the total of the database (D-12)', async () => {
    const answer = await boss.api('POST', '/service-orders', newOrder('223344'))
    expect(answer.json()).toMatchObject({
      os_number: '223344',
      customer_document: '52998224725',
      total_value: 11.5,
      status: 'created',
    })
  })

  test('with a number in use is a 409 that names it (D-11)', async () => {
    await boss.api('POST', '/service-orders', newOrder('223355'))
    const answer = await boss.api('POST', '/service-orders/', newOrder('223355'))
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { detail: 'Já existe uma OS 223355 nesta empresa.' },
    ])
  })
})

describe('slashes and prefixes (D-04)', () => {
  test.each([
    ['GET', '/brands'],
    ['GET', '/users/me'],
    ['GET', '/users'],
    ['GET', '/companies/paginated'],
    ['GET', '/service-orders'],
    ['GET', '/utils/health-check'],
    ['POST', '/brands/initialize'],
    ['GET', `/evidence/${o}/evidence`],
    ['GET', `/evidence-conversion/${o}/conversion-report`],
  ] as const)('%s %s answers with and without its final slash, without a redirect', async (method, path) => {
    const answers = [await boss.api(method, path), await boss.api(method, `${path}/`)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})

describe('a sign-in (API-4, API-5, D-45)', () => {
  const asJson = { username: user.email, password: PASSWORD }
  test.each([
    ['form', '/login/access-token', login, FORM],
    ['JSON', '/login/access-token', asJson, {}],
    ['form', '/token', login, FORM],
    ['JSON', '/token', asJson, {}],
  ])('by %s at %s gives a bearer token that works', async (_, path, body, headers) => {
    const answer = await testApp.anonymous.api('POST', path, body, headers)
    const { access_token, token_type } = accessToken.parse(answer.json())
    expect(token_type).toBe('bearer')
    const me = await testApp.anonymous.api('GET', '/users/me', undefined, {
      authorization: `bearer ${access_token}`,
    })
    expect(me.json()).toMatchObject({ email: user.email, is_superuser: true, scope: 'all' })
    expect(me.body).not.toContain('password')
  })

  test('with a wrong password is 400, never 401, with the exact detail that clients compare (D-03, LOGIN-9)', async () => {
    for (const body of [
      { ...asJson, password: 'outra-senha' },
      { ...asJson, username: 'ninguem' },
    ]) {
      const answer = await testApp.anonymous.api('POST', '/login/access-token', body)
      expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'Incorrect email or password' }])
    }
    const inactive = await testApp.make.user({ is_active: false })
    const answer = await testApp.anonymous.api('POST', '/token', {
      username: inactive.email,
      password: PASSWORD,
    })
    expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'Inactive user' }])
  })
})

describe('query and path (D-01, D-28)', () => {
  test('a comma list of statuses, blank filters and a numeric text are parsed as meant', async () => {
    const { brand_id } = await testApp.make.order({ os_number: '000123', status: 'pending' })
    const numbers = async (query: string) =>
      (await boss.api('GET', `/service-orders?${query}`))
        .json()
        .items.map((one: { os_number: string }) => one.os_number)
    expect(await numbers('status=pending,pending_upload&search=000123')).toEqual(['000123'])
    expect(await numbers(`brand_id=${brand_id}&status=&search=`)).toEqual(['000123'])
    expect(await numbers('status=ready&search=000123')).toEqual([])
  })

  test('?force=true converts a converted file again, ?force=false refuses (API-46)', async () => {
    const file = await testApp.make.converted()
    const refused = await boss.api('POST', `/evidence-conversion/${file.id}/convert?force=false`)
    expect([refused.statusCode, refused.json().detail]).toEqual([400, 'Este arquivo já foi convertido.'])
    expect((await boss.api('POST', `/evidence-conversion/${file.id}/convert?force=true`)).statusCode).toBe(
      200,
    )
  })

  test('a POST without a body may declare JSON as its content type', async () => {
    const answer = await boss.api('POST', '/brands/initialize', '', { 'content-type': 'application/json' })
    expect(answer.statusCode).toBe(200)
  })
})

test('a call with a body names the action that its caller needs, unless it is open to all or has one per item', () => {
  const nameless = endpoints
    .filter(({ body, action, public: isPublic }) => body && !action && !isPublic)
    .map(({ path }) => path)
  expect(nameless).toEqual(['/service-orders/bulk'])
})
