import { CONFIRM_NEEDED } from '@garantia/shared/auth/second-factor'
import { type GraveAction, LEAST_PROOF, NOT_BY_TOKEN } from '@garantia/shared/policy'
import { afterAll, describe, expect, test } from 'vitest'
import { linkInput } from '../support/guest-link.ts'
import { picture } from '../support/make.ts'
import { type Caller, startTestApp } from '../support/test-app.ts'
import { next } from './matrix-fixture.ts'
import { callProcedure } from './procedures.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make, kernel } = testApp
const { db } = kernel.ctx
const company = await make.company()
const brand = await make.brand()

const DAYS_AGO = new Date(Date.now() - 3 * 86_400_000)
const BODY = { full_name: 'Bia Nova', password: 'senha-bem-longa', company_id: company.id }

type Call =
  | { rest: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?] }
  | { procedure: [string, object?] }
interface Row {
  who?: { role: 'technician' | 'manager' | 'admin' }
  /** New subjects each time: what succeeds may not succeed again. */
  calls(): Promise<Call[]> | Call[]
}
const both = (rest: Extract<Call, { rest: unknown }>['rest'], procedure: string, input?: object): Call[] => [
  { rest },
  { procedure: [procedure, input] },
]
const changed = (id: number, change: object) =>
  both(['PATCH', `/users/${id}`, change], 'users.change', { id, change })
const email = () => `alguem${next()}@exemplo.com.br`
const customer = () => ({ customer_phone: `1198765${String(1000 + next())}` })
const userId = async (fields: object = {}) => (await make.user({ company_id: company.id, ...fields })).id

/** An export that is ready for whoever calls it. */
async function readyExport(user_id: number) {
  const row = {
    ...{ kind: 'export', status: 'done', searched_by: 'phone', pseudonym: 'Titular', orders: [], user_id },
    ...{ actor_name: 'Ana', created_at: new Date(), expires_at: new Date(Date.now() + 60_000) },
    ...{ key: `titulares/${next()}`, size: 1, sha256: 'a'.repeat(64) },
  }
  return db.insertInto('privacy_requests').values(row).returning('id').executeTakeFirstOrThrow()
}
let caller = 0

/** One row or more for each action that the policy calls grave: a new one does not compile without. */
const ROWS: Record<GraveAction, Row | Row[]> = {
  'account.recredential': [
    {
      who: { role: 'technician' },
      calls: () => both(['PATCH', '/users/me', { email: email() }], 'account.change', { email: email() }),
    },
    { calls: () => [{ procedure: ['passkeys.begin'] }] },
    { calls: () => [{ procedure: ['account.beginTotp'] }] },
  ],
  'account.leave': {
    who: { role: 'technician' },
    calls: () => [{ rest: ['DELETE', '/users/me'] }],
  },
  'token.create': {
    calls() {
      const input = { name: 'ERP', expires_in_days: 30, scope: 'read' }
      return both(['POST', '/tokens', input], 'tokens.open', input)
    },
  },
  'company.restructure': {
    async calls() {
      const [one, other] = [await make.company(), await make.company()]
      const change = { type: 'filial', parent_id: company.id }
      return [
        { rest: ['PATCH', `/companies/${one.id}`, change] },
        { procedure: ['companies.change', { id: other.id, change }] },
      ]
    },
  },
  'company.delete': {
    async calls() {
      const [one, other] = [await make.company(), await make.company()]
      return [
        { rest: ['DELETE', `/companies/${one.id}`] },
        { procedure: ['companies.remove', { id: other.id }] },
      ]
    },
  },
  'user.open': {
    async calls() {
      const person = () => ({ ...BODY, email: email(), role: 'manager' })
      return both(['POST', '/users', person()], 'users.open', person())
    },
  },
  'user.reactivate': {
    // One person for each call: an active one cannot be reactivated.
    calls: async () => [
      ...changed(await userId({ is_active: false }), { is_active: true }).slice(0, 1),
      ...changed(await userId({ is_active: false }), { is_active: true }).slice(1),
    ],
  },
  'user.recredential': [
    { calls: async () => changed(await userId(), { password: 'outra-senha-longa' }) },
    { calls: async () => changed(await userId(), { email: email() }).slice(1) },
    { calls: async () => changed(await userId(), { role: 'manager' }).slice(1) },
    { calls: async () => changed(await userId({ company_id: null }), { company_id: company.id }).slice(1) },
    { calls: async () => [{ rest: ['DELETE', `/users/${await userId()}/second-factor`] }] },
  ],
  'user.grant-superuser': { calls: async () => changed(await userId(), { is_superuser: true }).slice(1) },
  'user.delete': {
    calls: async () => [
      { rest: ['DELETE', `/users/${await userId()}`] },
      { procedure: ['users.remove', { id: await userId() }] },
    ],
  },
  'mail.open': {
    async calls() {
      const person = await make.user({ email: email() })
      await testApp.anonymous.api('POST', `/password-recovery/${person.email}`)
      const { id } = await db.selectFrom('mails').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
      return both(['POST', `/password-recovery-html-content/${person.email}`], 'mail.one', { id })
    },
  },
  'audit.export': { calls: () => [{ rest: ['GET', '/security-log/export'] }] },
  'webhook.open': {
    calls: () => [
      {
        procedure: ['webhooks.create', { url: 'https://a.example/', topics: ['order'], company_id: null }],
      },
    ],
  },
  'privacy.export': [
    {
      async calls() {
        const { customer_phone: value } = await make.order(customer())
        return [{ procedure: ['privacy.export', { by: 'phone', value }] }]
      },
    },
    { calls: async () => [{ procedure: ['privacy.address', await readyExport(caller)] }] },
  ],
  'privacy.anonymise': {
    async calls() {
      const order = { ...customer(), status: 'cancelled', cancelled_at: DAYS_AGO } as const
      const { customer_phone: value } = await make.order(order)
      return [{ procedure: ['privacy.anonymise', { by: 'phone', value, confirmation: 'ANONIMIZAR' }] }]
    },
  },
  'privacy.override': {
    calls: () => [{ procedure: ['compliance.switchCustomerRetention', { months: 60, is_applied: true }] }],
  },
  'customer.bulk-export': {
    who: { role: 'manager' },
    calls: () => [{ rest: ['GET', '/service-orders/export?format=csv'] }],
  },
  'calendar.open': { calls: () => [{ procedure: ['deadlines.newCalendar'] }] },
}

async function send(token: string, call: Call) {
  if ('procedure' in call) {
    const { status, error } = await callProcedure(testApp, token, ...call.procedure)
    return [status, error?.data.detail]
  }
  const [method, path, body] = call.rest
  const answer = await testApp.anonymous.api(method, path, body, { authorization: `Bearer ${token}` })
  return [answer.statusCode, answer.statusCode < 400 ? undefined : answer.json().detail]
}
const setConfirmed = (user_id: number, confirmed_at: Date) =>
  db.updateTable('sessions').set({ confirmed_at }).where('user_id', '=', user_id).execute()

test('every action that the policy calls grave has its row, and no other one', () => {
  const others = ['read', 'evidence', 'all', 'sign-in']
  const grave = Object.entries(LEAST_PROOF).filter(([, proof]) => !others.includes(proof))
  expect(Object.keys(ROWS).sort()).toEqual(grave.map(([action]) => action).sort())
})

describe('opens access, takes data out or cannot be undone', () => {
  const rows = Object.entries(ROWS).flatMap(([action, rows]) =>
    [rows].flat().map((row, n) => [`${action} ${n + 1}`, row] as const),
  )
  test.each(rows)('%s: with a recent sign-in alone, over tRPC and REST, and by no token', async (_, row) => {
    const user = await make.user(row.who ? { company_id: company.id, ...row.who } : { is_superuser: true })
    const as = await testApp.as(user)
    caller = user.id
    const api = await as.api('POST', '/tokens', { name: 'ERP', expires_in_days: 30, scope: 'all' })
    const { token } = api.json()
    for (const call of await row.calls()) {
      await setConfirmed(user.id, DAYS_AGO)
      expect(await send(as.token, call)).toEqual([403, CONFIRM_NEEDED])
      expect(await send(token, call)).toEqual([403, NOT_BY_TOKEN])
      await setConfirmed(user.id, new Date())
      expect(await send(as.token, call)).toEqual([200, undefined])
    }
  })
})

/** What a clerk and a manager do all day. */
const ORDINARY: Record<string, (as: Caller, order_id: number) => Promise<{ statusCode: number }>> = {
  'a file is sent': ({ upload }, id) =>
    picture().then((content) => upload(id, [{ filename: 'a.jpg', content }])),
  'an order is changed': ({ api }, id) => api('PATCH', `/service-orders/${id}`, { vehicle_color: 'azul' }),
  'an order is closed': ({ api }, id) => api('POST', `/service-orders/${id}/status/cancelled`),
  'an order goes to the bin': ({ api }, id) => api('DELETE', `/service-orders/${id}`),
  'the list of claims is exported': ({ api }) => api('GET', '/claims/export?format=csv'),
  'figures are exported': ({ api }) =>
    api('GET', '/service-orders/reports/monthly/export?from=2026-01&until=2026-03'),
  'a person of the team gets another phone': async ({ api, ctx }) => {
    const manager_id = ctx.actor.kind === 'user' ? ctx.actor.id : 0
    return api('PATCH', `/users/${await userId({ manager_id })}`, { phone: '11987654321' })
  },
  'a person of the team is deactivated': async ({ api, ctx }) => {
    const manager_id = ctx.actor.kind === 'user' ? ctx.actor.id : 0
    return api('PATCH', `/users/${await userId({ manager_id })}`, { is_active: false })
  },
  'a link for photos is made': async ({ token }, id) => ({
    statusCode: (await callProcedure(testApp, token, 'guestLinks.make', linkInput(id))).status,
  }),
}
test.each(Object.entries(ORDINARY))('%s without being asked, days after the sign-in', async (_, act) => {
  const user = await make.user({ role: 'manager', company_id: company.id })
  const as = await testApp.as(user)
  const { id } = await make.order({ company_id: company.id, brand_id: brand.id })
  await setConfirmed(user.id, DAYS_AGO)
  expect((await act(as, id)).statusCode).toBeLessThan(300)
})

test('a technician exports the list, in which documents and phones are masked, without being asked', async () => {
  const user = await make.user({ company_id: company.id })
  const as = await testApp.as(user)
  await setConfirmed(user.id, DAYS_AGO)
  expect((await as.api('GET', '/service-orders/export?format=csv')).statusCode).toBe(200)
})
