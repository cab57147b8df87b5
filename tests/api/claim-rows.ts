import { decideClaim, submitClaim } from '@garantia/server/features/claims/claim'
import { claimDifference, claimPage, claimView, orderClaims } from '@garantia/shared/claims/schema'
import { legalClockView } from '@garantia/shared/claims/visits'
import { bulkResult } from '@garantia/shared/orders/bulk'
import type { TestApp } from '../support/test-app.ts'
import {
  type CompanyRelation,
  ledWriting,
  type MatrixFixture,
  orderAt,
  READ,
  type Row,
  same,
  written,
} from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import type { Attempt } from './upload-rows.ts'

const line = { kind: 'third_party', description: 'Guincho', claimed: 120.5 } as const
const claim = { type: 'normal', lines: [line] } as const

type State = NonNullable<Parameters<TestApp['make']['claim']>[0]>['state']
/** A claim of an order at this place. */
const claimAt = async (fixture: MatrixFixture, place: CompanyRelation, state: State = 'draft') => {
  const { testApp, companies, brand } = fixture
  const order = await testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
  return testApp.make.sendableClaim({ order, state })
}
/** What it was sent with; the brand has refused it. */
const rejected = async ({ kernel }: TestApp, claim: Awaited<ReturnType<TestApp['make']['claim']>>) => {
  const lines = claim.lines.map(({ id: line_id }) => ({ line_id, authorised: 0, reason: 'late' as const }))
  await decideClaim(kernel.ctx, claim.id, { answer: 'decided', lines })
  return { ...claim, answer: lines }
}
const sentAt = async ({ kernel }: TestApp, claim: { id: number }) =>
  submitClaim(kernel.ctx, claim.id, { channel: 'portal' })
/** A step of a claim in this state. */
const step = (name: string, procedure: string, state: State, body: object): Row => ({
  rest: [`POST /claims/{id}/${name}`],
  procedure: `claims.${procedure}`,
  expected: ledWriting([200, 200, 404]),
  async attempt(fixture, place) {
    const { id } = await claimAt(fixture, place, state)
    return { path: String(id), body, input: { id, ...body } }
  },
})
const ofOrder = async (fixture: MatrixFixture, place: CompanyRelation) => {
  const order_id = await orderAt(fixture, place)
  return { path: String(order_id), input: { order_id } }
}

/** They span many rows: a claim of another company is refused in the answer. */
const bulk = (action: 'submit' | 'decide', state: State, fields: object): Row => ({
  rest: ['POST /claims/bulk'],
  procedure: `claimList.${action}Many`,
  expected: { ...same(200), technician: 403, lost: 403 },
  alike: ['ids', ...Object.keys(fields)],
  async attempt(fixture, place) {
    const input = { ids: [(await claimAt(fixture, place, state)).id], ...fields }
    return { body: { ...input, action }, input }
  },
})

/** Warranty claims: everybody in scope sees them, managers and above work on them. */
export const CLAIM_MATRIX: Row[] = [
  {
    rest: ['GET /claims'],
    procedure: 'claimList.page',
    expected: same(200),
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['GET /claims/export'],
    expected: same(200),
    attempt: () => ({ query: '?format=csv' }),
  },
  bulk('submit', 'draft', { channel: 'portal', note: 'Lote de novembro' }),
  bulk('decide', 'sent', { answer: 'in_review', brand_words: 'Recebida', brand_code: 'R1' }),
  {
    rest: ['GET /service-orders/{id}/claims'],
    procedure: 'claims.ofOrder',
    expected: READ,
    attempt: ofOrder,
  },
  {
    rest: ['POST /service-orders/{id}/claims'],
    procedure: 'claims.open',
    expected: ledWriting([200, 200, 404]),
    async attempt(fixture, place) {
      const order_id = await orderAt(fixture, place)
      return { path: String(order_id), body: claim, input: { order_id, ...claim } }
    },
  },
  {
    rest: ['GET /claims/{id}'],
    procedure: 'claims.one',
    expected: READ,
    async attempt(fixture, place) {
      const { id } = await claimAt(fixture, place)
      return { path: String(id), input: { id } }
    },
  },
  {
    rest: ['PATCH /claims/{id}'],
    procedure: 'claims.change',
    expected: ledWriting([200, 200, 404]),
    async attempt(fixture, place) {
      const { id } = await claimAt(fixture, place)
      const change = { note: 'Peça da fábrica' }
      return { path: String(id), body: change, input: { id, change } }
    },
  },
  step('submit', 'submit', 'draft', { channel: 'portal', brand_number: 'GW.1' }),
  step('decide', 'decide', 'sent', { answer: 'in_review', brand_number: 'GW.1' }),
  step('withdraw', 'withdraw', 'sent', { reason: 'OS errada' }),
  {
    rest: ['POST /claims/{id}/resend-mail'],
    procedure: 'claims.resendMail',
    // No mail of it has failed.
    expected: { ...written([409, 409, 404], [409, 409, 409]), technician: 403, lost: 403 },
    async attempt(fixture, place) {
      const { id } = await claimAt(fixture, place, 'sent')
      return { path: String(id), input: { id } }
    },
  },
  step('appeal', 'appeal', 'rejected', { note: 'Com a foto do defeito' }),
  {
    rest: ['POST /claims/{id}/correct-decision'],
    procedure: 'claims.correctDecision',
    expected: ledWriting([200, 200, 404]),
    async attempt(fixture, place) {
      const { id, answer } = await rejected(fixture.testApp, await claimAt(fixture, place, 'sent'))
      const body = { reason: 'Valor errado', lines: answer.map((one) => ({ ...one, authorised: 10 })) }
      return { path: String(id), body, input: { id, ...body } }
    },
  },
  {
    rest: ['GET /claims/{id}/difference'],
    procedure: 'claims.difference',
    expected: READ,
    async attempt(fixture, place) {
      const { id } = await sentAt(fixture.testApp, await claimAt(fixture, place))
      return { path: String(id), input: { id } }
    },
  },
  {
    rest: ['GET /service-orders/{id}/legal-clock'],
    procedure: 'deadlines.legalClock',
    expected: READ,
    attempt: ofOrder,
  },
]

export async function claimContract(testApp: TestApp): Promise<Contract[]> {
  const { make } = testApp
  const order = await make.order()
  const { id: ready } = await make.sendableClaim()
  const under_way = await make.claim({ state: 'sent' })
  const wrong = await rejected(testApp, await make.claim({ state: 'sent' }))
  const appealed = await rejected(testApp, await make.claim({ state: 'sent' }))
  const { id } = await make.claim({ state: 'sent' })
  const at = `/service-orders/${order.id}`
  return [
    { id: 'D-56', call: 'GET /claims', path: '/claims?state=sent&sort=due_on', reply: claimPage },
    {
      id: 'D-56',
      call: 'POST /service-orders/{id}/claims',
      path: `${at}/claims`,
      body: claim,
      reply: claimView,
    },
    { id: 'D-56', call: 'GET /service-orders/{id}/claims', path: `${at}/claims`, reply: orderClaims },
    { id: 'D-56', call: 'GET /claims/{id}', path: `/claims/${id}`, reply: claimView },
    { id: 'D-56', call: 'GET /claims/export', path: '/claims/export?format=csv', reply: 'file' },
    {
      id: 'D-56',
      call: 'POST /claims/bulk',
      path: '/claims/bulk',
      body: { action: 'decide', ids: [id], answer: 'in_review' },
      reply: bulkResult,
    },
    {
      id: 'D-56',
      call: 'PATCH /claims/{id}',
      path: `/claims/${ready}`,
      body: { note: 'Urgente' },
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/submit',
      path: `/claims/${ready}/submit`,
      body: { channel: 'portal', brand_number: 'GW.2' },
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'GET /claims/{id}/difference',
      path: `/claims/${ready}/difference`,
      reply: claimDifference,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/decide',
      path: `/claims/${id}/decide`,
      body: { answer: 'returned', brand_words: 'Falta a foto' },
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/correct-decision',
      path: `/claims/${wrong.id}/correct-decision`,
      body: { reason: 'Valor errado', lines: wrong.answer },
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/withdraw',
      path: `/claims/${under_way.id}/withdraw`,
      body: { reason: 'OS errada' },
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/resend-mail',
      path: `/claims/${await make.failedMail()}/resend-mail`,
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'POST /claims/{id}/appeal',
      path: `/claims/${appealed.id}/appeal`,
      body: {},
      reply: claimView,
    },
    {
      id: 'D-56',
      call: 'GET /service-orders/{id}/legal-clock',
      path: `${at}/legal-clock`,
      reply: legalClockView,
    },
  ]
}

export function claimRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const { make, kernel } = testApp
  const withdrawn = async (call: string, body: object) => ({
    path: `/claims/${(await make.claim({ state: 'withdrawn' })).id}${call}`,
    body,
  })
  const line = { line_id: 1, authorised: 0, reason: 'late' }
  return {
    'PATCH /claims/{id} 409': () => withdrawn('', { note: 'Tarde' }),
    'POST /claims/{id}/submit 409': () => withdrawn('/submit', {}),
    'POST /claims/{id}/submit 429': async () => {
      const claim = await make.sendableClaim()
      await kernel.ctx.db.deleteFrom('dossiers').where('order_id', '=', claim.order_id).execute()
      const { id } = await make.user({ is_superuser: true })
      const requested = { bucket: `dossier/person/${id}`, hits: 60, first_at: new Date() }
      await kernel.ctx.db.insertInto('attempts').values(requested).execute()
      return { as: await testApp.as({ id }), path: `/claims/${claim.id}/submit`, body: {} }
    },
    'POST /claims/{id}/decide 409': () => withdrawn('/decide', { answer: 'in_review' }),
    'POST /claims/{id}/correct-decision 409': () =>
      withdrawn('/correct-decision', { reason: 'Errado', lines: [line] }),
    'POST /claims/{id}/withdraw 409': () => withdrawn('/withdraw', { reason: 'De novo' }),
    'POST /claims/{id}/resend-mail 409': async () => ({
      path: `/claims/${(await make.claim({ state: 'sent' })).id}/resend-mail`,
    }),
    'POST /claims/{id}/appeal 409': () => withdrawn('/appeal', {}),
    'POST /service-orders/{id}/claims 409': async () => ({
      path: `/service-orders/${(await make.claim()).order_id}/claims`,
      body: claim,
    }),
  }
}
