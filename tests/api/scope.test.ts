import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { callProcedure, procedures } from './procedures.ts'
import { restRoutes } from './routes.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const matriz = await testApp.make.company({ trading_name: 'Matriz' })
const filial = await testApp.make.company({ trading_name: 'Filial', parent_id: matriz.id })
const other = await testApp.make.company({ trading_name: 'Outra' })
const orderOf = async (company_id: number) =>
  testApp.make.order({ company_id, customer_name: 'Cliente Secreto' })
const orders = {
  matriz: await orderOf(matriz.id),
  filial: await orderOf(filial.id),
  other: await orderOf(other.id),
}
const caller = async (fields: object) => testApp.as(await testApp.make.user(fields))

/** Which of the two ids a call takes (D-18); the test below fails for a call that is missing here. */
const BY_ORDER = [
  'GET /service-orders/{id}',
  'PUT /service-orders/{id}',
  'PATCH /service-orders/{id}',
  'DELETE /service-orders/{id}',
  'POST /service-orders/{id}/status/{status}',
  'GET /service-orders/{id}/history',
  'GET /service-orders/{id}/allowed-transitions',
  'GET /service-orders/{id}/claims',
  'POST /service-orders/{id}/claims',
  'GET /service-orders/{id}/legal-clock',
  'PATCH /service-orders/{id}/legal-clock',
  'POST /service-orders/{id}/legal-clock/link',
  'POST /service-orders/{id}/legal-clock/unlink',
  'POST /service-orders/{id}/legal-clock/refuse',
  'POST /service-orders/{id}/legal-clock/facts',
  'GET /service-orders/{id}/dossier',
  'POST /service-orders/{id}/dossier',
  'GET /service-orders/{id}/dossier/{id}/download',
  'POST /evidence/{id}/upload',
  'POST /evidence/{id}/capture-nonces',
  'POST /evidence/{id}/validate',
  'GET /evidence/{id}/evidence',
  'PATCH /evidence/{id}/evidence',
  'GET /evidence/{id}/download-all',
  'POST /evidence-conversion/{id}/convert-all',
  'GET /evidence-conversion/{id}/conversion-report',
]
const BY_FILE = [
  'GET /evidence/{id}',
  'PATCH /evidence/{id}',
  'PUT /evidence/{id}/rotation',
  'PUT /evidence/{id}/marks',
  'DELETE /evidence/{id}',
  'POST /evidence/{id}/restore',
  'GET /evidence/{id}/download',
  'POST /evidence-conversion/{id}/convert',
  'GET /evidence-conversion/{id}/status',
]
/** Steps with the money of a claim, each with a body that its schema takes. */
const ON_DAY = { booked_on: '2026-01-05', reason: 'Conferido', lines: [{ line_id: 1, amount: 1 }] }
const MONEY_STEPS: Record<string, object> = {
  'POST /claims/{id}/credit-note': { credit_note_on: '2026-01-05' },
  'POST /claims/{id}/pay': { booked_on: '2026-01-05', amount: 1 },
  'POST /claims/{id}/debit': ON_DAY,
  'POST /claims/{id}/write-off': ON_DAY,
  'POST /claims/{id}/correct-entry': { entry_id: 1, reason: 'Conferido' },
  'POST /claims/{id}/reconcile': { reason: 'Conferido' },
}
const MONEY_PROCEDURES: Record<string, object> = {
  'claims.creditNote': { credit_note_on: '2026-01-05' },
  'claims.pay': { booked_on: '2026-01-05', amount: 1, lines: undefined },
  'claims.debit': ON_DAY,
  'claims.writeOff': ON_DAY,
  'claims.correctEntry': { entry_id: 1 },
  'claims.reconcile': {},
}
const BY_CLAIM = [
  'GET /claims/{id}',
  'GET /claims/{id}/parts',
  'PATCH /claims/{id}',
  'GET /claims/{id}/difference',
  'POST /claims/{id}/submit',
  'POST /claims/{id}/decide',
  'POST /claims/{id}/correct-decision',
  'POST /claims/{id}/withdraw',
  'POST /claims/{id}/resend-mail',
  'POST /claims/{id}/appeal',
  ...Object.keys(MONEY_STEPS),
]
const PROCEDURES: Record<string, 'order' | 'file' | 'claim'> = {
  'claims.one': 'claim',
  'claims.difference': 'claim',
  'claims.change': 'claim',
  'claims.submit': 'claim',
  'claims.decide': 'claim',
  'claims.correctDecision': 'claim',
  'claims.withdraw': 'claim',
  'claims.resendMail': 'claim',
  'claims.appeal': 'claim',
  'claims.ofOrder': 'order',
  'claims.open': 'order',
  'claims.creditNote': 'claim',
  'claims.pay': 'claim',
  'claims.debit': 'claim',
  'claims.writeOff': 'claim',
  'claims.correctEntry': 'claim',
  'claims.reconcile': 'claim',
  'deadlines.legalClock': 'order',
  'deadlines.link': 'order',
  'deadlines.unlink': 'order',
  'deadlines.refuse': 'order',
  'deadlines.changeVisit': 'order',
  'deadlines.addFact': 'order',
  'parts.ofClaim': 'claim',
  'orders.one': 'order',
  'orders.change': 'order',
  'orders.setStatus': 'order',
  'orders.remove': 'order',
  'orders.history': 'order',
  'orders.reveal': 'order',
  'orders.sheet': 'order',
  'evidence.list': 'order',
  'evidence.changeMany': 'order',
  'evidence.checklist': 'order',
  'evidence.validate': 'order',
  'evidence.issueNonces': 'order',
  'evidence.one': 'file',
  'evidence.change': 'file',
  'conversion.turn': 'file',
  'conversion.mark': 'file',
  'evidence.remove': 'file',
  'evidence.restore': 'file',
  'conversion.convert': 'file',
  'conversion.convertAll': 'order',
  'conversion.status': 'file',
  'guestLinks.list': 'order',
  'conversion.report': 'order',
  'dossier.list': 'order',
  'dossier.build': 'order',
  'retention.holdOf': 'order',
  'retention.hold': 'order',
  'retention.release': 'order',
  'live.address': 'order',
  'comments.list': 'order',
  'comments.add': 'order',
  'comments.people': 'order',
  'orderList.around': 'order',
  'orderList.related': 'order',
  'privacy.accesses': 'order',
}
/** Calls without an order: people and companies are in the matrix, and lists filter in their own query. */
const WITHOUT_ORDER =
  /^(auth|account|passkeys|directory|tokens|users|mail|brands|companies)\.|^orders\.(open|technicians|assignees|earlier|nextNumber)$|^conversion\.convertMany$|^guestLinks\.(make|revoke)$|^dossier\.confirm$|^orderList\.(?!around|related)|^deadlines\.(page|counts|\w*[cC]alendar)$|^parts\.change$|^privacy\.(?!accesses)|^(claimList|claimReports|reasons|remittances|savedViews|orderImports|vehiclePhotos|notifications|dashboard|reports|audit|quota|packages|firstSteps|installation|webhooks|demo|compliance)\./
const OF_OTHER_THINGS =
  /\/(brands|users|companies|tokens|uploads|imports|remittances|differences|packages|parts|calendar|guest|dossier-confirmations)\//

test('it is decided for every call what its id means (D-18)', () => {
  const withId = restRoutes(testApp.app)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => call.includes('{id}') && !OF_OTHER_THINGS.test(call))
  expect(withId.sort()).toEqual([...BY_ORDER, ...BY_FILE, ...BY_CLAIM].sort())
  const ofOrders = procedures.map(({ path }) => path).filter((path) => !WITHOUT_ORDER.test(path))
  expect(ofOrders.sort()).toEqual(Object.keys(PROCEDURES).sort())
})

const outOfScopeCallers = {
  technician: await caller({ company_id: matriz.id }),
  manager: await caller({ role: 'manager', company_id: matriz.id }),
  'person without company': await caller({ company_id: null }),
  'manager without company': await caller({ role: 'manager', company_id: null }),
}
const file = await testApp.make.converted({ order_id: orders.other.id })
const claim = await testApp.make.claim({ order: orders.other })
/** No technician makes these calls on any row: they are refused before the row is looked for. */
const LED = [
  'POST /service-orders/{id}/claims',
  'claims.open',
  'PATCH /claims/{id}',
  'claims.change',
  ...['submit', 'decide', 'correct-decision', 'withdraw', 'appeal', 'resend-mail'].map(
    (step) => `POST /claims/{id}/${step}`,
  ),
  ...['submit', 'decide', 'correctDecision', 'withdraw', 'appeal', 'resendMail'].map(
    (step) => `claims.${step}`,
  ),
  ...Object.keys(MONEY_STEPS),
  ...Object.keys(MONEY_PROCEDURES),
  ...BY_ORDER.filter((call) => call.includes('/legal-clock') && !call.startsWith('GET ')),
  ...Object.keys(PROCEDURES).filter((path) => /^deadlines\.(?!legalClock)/.test(path)),
]
const NEW_FACT = { kind: 'loan_car', from_on: '2026-11-02' }
const NEW_CLAIM = { type: 'normal', lines: [] }
const CORRECTION = { reason: 'Errado', lines: [{ line_id: 1, authorised: 0 }] }
/** Bodies of calls that take one, so that it is the row that is missing. */
const BODIES: Record<string, object> = {
  'PATCH /evidence/{id}/evidence': { changes: [{ id: file.id }] },
  'POST /service-orders/{id}/claims': NEW_CLAIM,
  'PATCH /claims/{id}': {},
  'POST /claims/{id}/submit': {},
  'POST /claims/{id}/decide': { answer: 'in_review' },
  'POST /claims/{id}/correct-decision': CORRECTION,
  'POST /claims/{id}/withdraw': { reason: 'Errada' },
  'POST /claims/{id}/appeal': {},
  ...MONEY_STEPS,
  'POST /service-orders/{id}/legal-clock/link': { with_order_id: orders.matriz.id },
  'POST /service-orders/{id}/legal-clock/refuse': { with_order_id: orders.matriz.id },
  'POST /service-orders/{id}/legal-clock/facts': NEW_FACT,
  'PATCH /service-orders/{id}/legal-clock': {},
}
const LAST_PARTS = {
  '/rotation': { rotation: 90 },
  '/marks': { marks: [] },
  '/capture-nonces': { count: 1 },
}
const bodyOf = (call: string) =>
  BODIES[call] ?? Object.entries(LAST_PARTS).find(([part]) => call.endsWith(part))?.[1]

describe("another company's order does not exist (D-39)", () => {
  describe.each(Object.entries(outOfScopeCallers))('for a %s', (who, outsideCaller) => {
    const isRefusedFirst = (call: string) => LED.includes(call) && !who.startsWith('manager')
    test.each([...BY_ORDER, ...BY_FILE, ...BY_CLAIM])('%s is absent', async (call) => {
      const [method, path] = call.split(' ') as ['GET', string]
      const isOrder = BY_ORDER.includes(call)
      const isClaim = BY_CLAIM.includes(call)
      const id = isOrder ? orders.other.id : isClaim ? claim.id : file.id
      const answer = await outsideCaller.api(
        method,
        path.replaceAll('{id}', String(id)).replace('{status}', 'pending'),
        bodyOf(call),
      )
      if (isRefusedFirst(call)) return expect(answer.statusCode).toBe(403)
      const what = isOrder ? 'Ordem de serviço' : isClaim ? 'Solicitação' : 'Evidência'
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: `${what} não encontrada` }])
    })

    test.each(Object.entries(PROCEDURES))('tRPC %s is absent', async (path, kind) => {
      const id = { order: orders.other.id, claim: claim.id, file: file.id }[kind]
      const { status, error } = await callProcedure(testApp, outsideCaller.token, path, {
        id,
        order_id: id,
        evidence_id: id,
        claim_id: id,
        with_order_id: orders.matriz.id,
        change: {},
        changes: [{ id }],
        status: 'pending',
        rotation: 90,
        marks: [],
        count: 1,
        fields: ['vehicle_chassis'],
        sheet: 'capa',
        comment: 'Veja',
        reason: 'Processo 123',
        ...NEW_CLAIM,
        answer: 'in_review',
        ...(path === 'claims.correctDecision' && CORRECTION),
        ...(path === 'deadlines.addFact' && NEW_FACT),
        ...MONEY_PROCEDURES[path],
      })
      if (isRefusedFirst(path)) return expect(status).toBe(403)
      expect([status, error?.data.http_status]).toEqual([404, 404])
      expect(error?.data.detail).toMatch(/não encontrada$/)
    })

    test('it is in no list, no total and no search', async () => {
      for (const query of [
        ...['', '?search=Secreto', '?status=created'],
        ...[`?search=${orders.other.os_number}`, `?company_id=${other.id}`],
      ]) {
        const { items, total } = (await outsideCaller.api('GET', `/service-orders${query}`)).json()
        expect(items.map(({ id }: { id: number }) => id)).not.toContain(orders.other.id)
        expect(total).toBe(items.length)
      }
    })
  })

  test('nothing of it changed', async () => {
    const { db } = testApp.kernel.ctx
    const files = await db
      .selectFrom('evidence_files')
      .where('order_id', '=', orders.other.id)
      .selectAll()
      .execute()
    expect(files).toMatchObject([{ id: file.id, status: 'converted', deleted_at: null }])
  })
})

describe('a list contains only what the caller may see (D-38, D-39)', () => {
  const shownTo = async (fields: object) => {
    const { api } = await caller(fields)
    const { items, total } = (await api('GET', '/service-orders')).json()
    const companies = (await api('GET', '/companies/active')).json()
    const names = items.map((one: { company: { trading_name: string } }) => one.company.trading_name)
    expect(total).toBe(items.length)
    expect(companies.count).toBe(companies.data.length)
    expect(companies.data.map((one: { trading_name: string }) => one.trading_name).sort()).toEqual(
      [...new Set(names)].sort(),
    )
    return names.sort()
  }
  test.each([
    ['a technician their own company', { company_id: matriz.id }, ['Matriz']],
    [
      'a manager of the matriz also its filiais',
      { role: 'manager', company_id: matriz.id },
      ['Filial', 'Matriz'],
    ],
    ['a manager of the filial not the matriz', { role: 'manager', company_id: filial.id }, ['Filial']],
    ['a technician of the filial not the matriz', { company_id: filial.id }, ['Filial']],
    ['an admin everything', { role: 'admin', company_id: filial.id }, ['Filial', 'Matriz', 'Outra']],
    ['a superuser everything', { is_superuser: true }, ['Filial', 'Matriz', 'Outra']],
    ['someone without a company nothing', { company_id: null }, []],
    ['a manager without a company nothing', { role: 'manager', company_id: null }, []],
  ])('%s', async (_, fields, expected) => {
    expect(await shownTo(fields)).toEqual(expected)
  })
})

test("an order is opened only in a company within the caller's scope (D-38)", async () => {
  const { api } = await caller({ role: 'manager', company_id: matriz.id })
  const open = (os_number: string, company_id: number) =>
    api('POST', '/service-orders', { os_number, company_id, brand_id: orders.matriz.brand_id })
  expect((await open('900001', matriz.id)).statusCode).toBe(200)
  expect((await open('900002', filial.id)).statusCode).toBe(200)
  const refused = await open('900003', other.id)
  expect([refused.statusCode, refused.json().detail[0]]).toMatchObject([
    422,
    { loc: ['body', 'company_id'], msg: 'Selecione uma empresa' },
  ])
})
