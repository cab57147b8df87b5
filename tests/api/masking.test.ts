import { afterAll, expect, test } from 'vitest'
import { type Caller, startTestApp } from '../support/test-app.ts'
import type { MatrixFixture, Role, TestUser } from './matrix-fixture.ts'
import { MATRIX } from './matrix-rows.ts'
import { callProcedure } from './procedures.ts'

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())

const CUSTOMER = {
  vehicle_chassis: '9BWZZZ377VT004251',
  customer_document: '52998224725',
  customer_phone: '11987654321',
  customer_email: 'maria.souza@mail.example',
}
type Field = keyof typeof CUSTOMER
const own = await testApp.make.company()
const filial = await testApp.make.company({ parent_id: own.id })
const companies = { own, filial, foreign: await testApp.make.company() }
const brand = await testApp.make.brand({ max_evidence_count: 1_000 })

async function caller(role: Role): Promise<TestUser> {
  const user = await testApp.make.user({
    company_id: own.id,
    ...(role === 'superuser' ? { is_superuser: true } : { role: role as 'technician' }),
  })
  return { ...(await testApp.as(user)), id: user.id, email: user.email }
}
const colleague = await caller('technician')

/** Orders of this scene have the customer's data and are those of one technician. */
function sceneOf(technician_user_id: number): MatrixFixture {
  const order: typeof testApp.make.order = (fields) =>
    testApp.make.order({ technician_user_id, ...CUSTOMER, ...fields })
  return { testApp: { ...testApp, make: { ...testApp.make, order } }, companies, brand }
}

type Found = Record<string, Field[]>
/** What the answers of these calls contain whole, by call. */
async function foundIn(role: Role, technicianOf: (caller: TestUser) => number, rows = MATRIX) {
  const found: Found = {}
  let answered = 0
  const look = (call: string, status: number, text: string) => {
    if (status < 300) answered++
    // As stored, or as it is written.
    const bare = text.replaceAll(/[.()\s/-]/g, '')
    const seen = (Object.keys(CUSTOMER) as Field[]).filter(
      (field) => text.includes(CUSTOMER[field]) || bare.includes(CUSTOMER[field]),
    )
    if (seen.length > 0) found[call] = [...new Set([...(found[call] ?? []), ...seen])].sort()
  }
  for (const row of rows) {
    for (const call of row.rest) {
      const person = await caller(role)
      const {
        path = '',
        query = '',
        body,
        headers,
      } = await row.attempt(sceneOf(technicianOf(person)), 'own', person)
      const [method, url = ''] = call.split(' ') as ['GET', string]
      const answer = await testApp.anonymous.api(method, url.replace(/\{.*\}/, path) + query, body, {
        ...headers,
        authorization: `Bearer ${person.token}`,
      })
      look(call, answer.statusCode, answer.body)
    }
    if (row.procedure) {
      const person = await caller(role)
      const { input } = await row.attempt(sceneOf(technicianOf(person)), 'own', person)
      const answer = await callProcedure(testApp, person.token, row.procedure, input)
      look(row.procedure, answer.status, JSON.stringify(answer))
    }
  }
  expect(answered).toBeGreaterThan(rows.length / 3)
  return found
}
const ALL = (Object.keys(CUSTOMER) as Field[]).sort()
const LISTED = ALL.filter((field) => field !== 'customer_email')

/** Calls that say one order's data to whoever works on it. */
const OF_ONE_ORDER = [
  'POST /service-orders/{id}/status/{status}',
  'PUT /service-orders/{id}',
  'PATCH /service-orders/{id}',
  'GET /service-orders/{id}',
  'orders.one',
  'orders.change',
  'orders.setStatus',
]

/** The package is what the brand receives, and names the vehicle (D-86). */
const OF_THE_PACKAGE: Found = { 'GET /evidence/{id}/download-all': ['vehicle_chassis'] }
const REVEALED: Found = { 'orders.reveal': ['vehicle_chassis'] }

test('no answer to a technician has a value whole, of an order that is not their own, but what they reveal (D-86)', async () => {
  const found = await foundIn('technician', () => colleague.id)
  expect(found).toEqual({ ...OF_THE_PACKAGE, ...REVEALED })
}, 120_000)

test('of their own orders only those of one order have them, and lists never (D-86)', async () => {
  const found = await foundIn('technician', ({ id }) => id)
  const ofOne = Object.fromEntries(OF_ONE_ORDER.map((call) => [call, ALL]))
  expect(found).toEqual({
    ...OF_THE_PACKAGE,
    ...REVEALED,
    ...ofOne,
    'orders.sheet': ['vehicle_chassis'],
  })
}, 120_000)

test('managers see them whole, so that these tests find what they look for (D-86)', async () => {
  const calls = { 'GET /service-orders': LISTED, 'GET /service-orders/{id}': ALL }
  const rows = MATRIX.filter(({ rest }) => rest.some((call) => call in calls))
  expect(await foundIn('manager', () => colleague.id, rows)).toMatchObject(calls)
}, 120_000)

const { make, anonymous } = testApp
const api = (who: Caller, method: 'GET' | 'PATCH', path: string, body?: unknown) =>
  anonymous.api(method, path, body, { authorization: `Bearer ${who.token}` })

test('a masked value that is sent back is refused and overwrites nothing (D-86)', async () => {
  const manager = await caller('manager')
  const { id } = await make.order({ company_id: own.id, ...CUSTOMER, technician_user_id: colleague.id })
  const masked = (await api(await caller('technician'), 'GET', `/service-orders/${id}`)).json()
  expect(masked).toMatchObject({
    vehicle_chassis: '•••••••••••004251',
    customer_document: '•••••••4725',
    customer_phone: '•••••••4321',
    customer_email: 'm•••@mail.example',
  })
  for (const field of Object.keys(CUSTOMER)) {
    const answer = await api(manager, 'PATCH', `/service-orders/${id}`, { [field]: masked[field] })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body', field], msg: expect.stringContaining('oculto') }] },
    ])
  }
  expect((await api(manager, 'GET', `/service-orders/${id}`)).json()).toMatchObject(CUSTOMER)
})

test('a technician finds an order by a whole number, and the history of a foreign one is masked (D-86)', async () => {
  const technician = await caller('technician')
  const manager = await caller('manager')
  const document = '11144477735'
  const { id } = await make.order({ company_id: own.id, ...CUSTOMER, technician_user_id: colleague.id })
  const changed = await api(manager, 'PATCH', `/service-orders/${id}`, { customer_document: document })
  expect(changed.statusCode).toBe(200)
  const found = (await api(technician, 'GET', `/service-orders?search=${document}`)).json()
  expect(found).toMatchObject({ total: 1, items: [{ id, customer_document: '•••••••7735' }] })
  const changes = async (who: Caller) =>
    (await api(who, 'GET', `/service-orders/${id}/history`)).json().events[0].changes.customer_document
  expect(await changes(technician)).toEqual(['•••••••4725', '•••••••7735'])
  expect(await changes(colleague)).toEqual([CUSTOMER.customer_document, document])
})
