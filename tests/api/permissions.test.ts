import { afterAll, describe, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { type Caller, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const matriz = await testApp.make.company()
const company = await testApp.make.company({ parent_id: matriz.id })
const brand = await testApp.make.brand()
const creator = await testApp.make.user({ company_id: company.id })
const assigned = await testApp.make.user({ company_id: company.id })

const PEOPLE = {
  creator: await testApp.as(creator),
  assigned: await testApp.as(assigned),
  colleague: await testApp.as(await testApp.make.user({ company_id: company.id })),
  manager: await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id })),
  'manager of the matriz': await testApp.as(
    await testApp.make.user({ role: 'manager', company_id: matriz.id }),
  ),
  admin: await testApp.as(await testApp.make.user({ role: 'admin', company_id: null })),
  superuser: await testApp.as(await testApp.make.user({ is_superuser: true })),
  otherCompanyUser: await testApp.as(await testApp.make.user()),
}
type Name = keyof typeof PEOPLE

/**
 * An order created by one technician and assigned to another, with a file in each state, uploaded by the
 * creator.
 */
async function fixture() {
  const order = await testApp.make.order({
    brand_id: brand.id,
    company_id: company.id,
    created_by: creator.id,
    technician_user_id: assigned.id,
  })
  const uploaded_by = creator.id
  return {
    order: order.id,
    pending: (await testApp.make.evidence({ order_id: order.id, uploaded_by })).id,
    converted: (await testApp.make.converted({ order_id: order.id, uploaded_by })).id,
  }
}
type Scene = Awaited<ReturnType<typeof fixture>>

let number = 0
const upload = async ({ upload }: Caller, order: number) =>
  upload(order, [{ filename: 'a.jpg', content: await picture() }])
const CALLS: Record<string, (who: Caller, at: Scene) => Promise<{ statusCode: number; body: string }>> = {
  'read the order': ({ api }, { order }) => api('GET', `/service-orders/${order}`),
  'list its evidence': ({ api }, { order }) => api('GET', `/evidence/${order}/evidence`),
  'read its report': ({ api }, { order }) => api('GET', `/evidence-conversion/${order}/conversion-report`),
  'read a state': ({ api }, { pending }) => api('GET', `/evidence-conversion/${pending}/status`),
  download: ({ api }, { converted }) => api('GET', `/evidence/${converted}/download`),
  'download the original': ({ api }, { pending }) =>
    api('GET', `/evidence/${pending}/download?original=true`),
  'download all': ({ api }, { order }) => api('GET', `/evidence/${order}/download-all`),
  upload: (who, { order }) => upload(who, order),
  convert: ({ api }, { pending }) => api('POST', `/evidence-conversion/${pending}/convert`),
  'convert all': ({ api }, { order }) => api('POST', `/evidence-conversion/${order}/convert-all`),
  'delete a file of the creator': ({ api }, { pending }) => api('DELETE', `/evidence/${pending}`),
  'change the order': ({ api }, { order }) =>
    api('PUT', `/service-orders/${order}`, { vehicle_color: 'azul' }),
  'back-date the order': ({ api }, { order }) =>
    api('PATCH', `/service-orders/${order}`, { opened_at: '2026-01-05T12:00:00Z' }),
  'hold the order': ({ api }, { order }) => api('POST', `/service-orders/${order}/status/pending`),
  'complete the order': ({ api }, { order }) => api('POST', `/service-orders/${order}/status/completed`),
  'cancel the order': ({ api }, { order }) => api('POST', `/service-orders/${order}/status/cancelled`),
  'read its history': ({ api }, { order }) => api('GET', `/service-orders/${order}/history`),
  'delete the order': ({ api }, { order }) => api('DELETE', `/service-orders/${order}`),
  'open an order there': ({ api }) =>
    api('POST', '/service-orders', {
      os_number: String(100_000 + number++),
      brand_id: brand.id,
      company_id: company.id,
    }),
  'initialise the brands': ({ api }) => api('POST', '/brands/initialize'),
}

const READ = [200, 200, 200, 200, 200, 200, 200, 404]
const WORK = [200, 200, 403, 200, 200, 200, 200, 404]
const LEAD = [403, 403, 403, 200, 200, 200, 200, 404]
/** The rows of D-38 that these calls cover; columns in the order of PEOPLE. */
const MATRIX: Record<keyof typeof CALLS, number[]> = {
  'read the order': READ,
  'list its evidence': READ,
  'read its report': READ,
  'read a state': READ,
  download: READ,
  'download the original': READ,
  'download all': READ,
  upload: [201, 201, 403, 201, 201, 201, 201, 404],
  convert: WORK,
  'convert all': WORK,
  'delete a file of the creator': [200, 403, 403, 200, 200, 200, 200, 404],
  'change the order': WORK,
  'back-date the order': LEAD,
  'hold the order': WORK,
  'complete the order': LEAD,
  'cancel the order': LEAD,
  'read its history': READ,
  'delete the order': LEAD,
  'open an order there': [200, 200, 200, 200, 200, 200, 200, 422],
  'initialise the brands': [403, 403, 403, 403, 403, 200, 200, 403],
}

describe.each(Object.entries(MATRIX))('who may %s (D-38)', (call, expected) => {
  test.each((Object.keys(PEOPLE) as Name[]).map((name, index) => [name, expected[index]] as const))(
    '%s: %i',
    async (name, status) => {
      const answer = await CALLS[call]?.(PEOPLE[name], await fixture())
      expect(answer?.statusCode).toBe(status)
      if (status === 403)
        expect(JSON.parse(answer?.body ?? '').detail).toMatch(
          /^(Você não tem permissão para esta ação\.|Somente gestores e administradores podem .+)$/,
        )
    },
  )
})

test('an order without a technician belongs to every technician of its company (D-16)', async () => {
  const order = await testApp.make.order({
    brand_id: brand.id,
    company_id: company.id,
    created_by: creator.id,
  })
  expect((await upload(PEOPLE.colleague, order.id)).statusCode).toBe(201)
  expect((await upload(PEOPLE.otherCompanyUser, order.id)).statusCode).toBe(404)
})

test('a technician deletes their own files, not those of others (D-38)', async () => {
  const order = await testApp.make.order({ brand_id: brand.id, company_id: company.id })
  const { uploaded } = (await upload(PEOPLE.colleague, order.id)).json()
  const path = `/evidence/${uploaded[0].id}`
  expect((await PEOPLE.assigned.api('DELETE', path)).statusCode).toBe(403)
  expect((await PEOPLE.colleague.api('DELETE', path)).statusCode).toBe(200)
})

test('a refused call changes nothing (D-38)', async () => {
  const at = await fixture()
  const before = await testApp.kernel.ctx.db.selectFrom('events').selectAll().execute()
  await upload(PEOPLE.colleague, at.order)
  await CALLS.convert?.(PEOPLE.colleague, at)
  await CALLS['delete a file of the creator']?.(PEOPLE.colleague, at)
  expect(await testApp.kernel.ctx.db.selectFrom('events').selectAll().execute()).toEqual(before)
})

describe('a call that the caller may make on nothing', () => {
  const CALLS = [
    ['POST', '/users', 'user.open'],
    ['PATCH', '/users/999', 'user.change'],
    ['POST', '/companies', 'company.open'],
    ['PATCH', `/companies/${company.id}`, 'company.change'],
    ['PATCH', `/brands/${brand.id}`, 'brand.change'],
    ['POST', '/service-orders', 'order.open'],
    ['PATCH', '/service-orders/999', 'order.change'],
    ['PATCH', '/evidence/999', 'evidence.change'],
    ['PUT', '/evidence/999/rotation', 'evidence.change'],
    ['PUT', '/evidence/999/marks', 'evidence.change'],
    ['POST', '/evidence/999/capture-nonces', 'evidence.upload'],
    ['PATCH', '/users/me', 'account.change'],
    ['PATCH', '/users/me/password', 'account.secure'],
    ['POST', '/tokens', 'token.manage'],
  ] as const
  /** Wrong in every field, so that a judgement of the body would be 422. */
  const BODY = {
    full_name: 7,
    os_number: 7,
    trading_name: 7,
    name: 7,
    version: 'x',
    rotation: 'x',
    marks: 'x',
    count: 'x',
    description: 7,
  }

  test.each(CALLS)(
    '%s %s (%s) is 403 before a word on its body, with an API token that may only read',
    async (method, path) => {
      const { id: user_id } = await testApp.make.user({ is_superuser: true })
      const { token } = await testApp.make.apiToken({ user_id, scope: 'read' })
      const answer = await testApp.anonymous.api(method, path, BODY, { authorization: `Bearer ${token}` })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        403,
        'Este token de API não permite esta ação.',
      ])
    },
  )

  test.each(CALLS.slice(0, 5))(
    '%s %s (%s) is 403 before a word on its body, for a technician',
    async (method, path) => {
      const answer = await PEOPLE.colleague.api(method, path, BODY)
      expect([answer.statusCode, answer.json().detail]).toEqual([
        403,
        'Você não tem permissão para esta ação.',
      ])
    },
  )
})

test('a repeated password that differs is 422 at its field, wherever one is set', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const twice = (field: string) => ({
    [field]: 'uma-senha-bem-longa',
    confirm_password: 'outra-senha-bem-longa',
  })
  const user = { full_name: 'Rui Lima', email: 'rui@exemplo.com.br', role: 'admin', company_id: company.id }
  const answers = [
    await boss.api('POST', '/users', { ...user, ...twice('password') }),
    await boss.api('PATCH', `/users/${creator.id}`, twice('password')),
    await testApp.anonymous.api('POST', '/users/signup', { ...user, ...twice('password') }),
    await testApp.anonymous.api('POST', '/reset-password', { token: 'x', ...twice('new_password') }),
    await boss.api('PATCH', '/users/me/password', { current_password: 'x', ...twice('new_password') }),
  ]
  for (const answer of answers)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', 'confirm_password'], msg: 'As senhas não coincidem' })],
    ])
})
