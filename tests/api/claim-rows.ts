import { claimPage, claimView, orderClaims } from '@garantia/shared/claims/schema'
import { legalClockView } from '@garantia/shared/claims/visits'
import type { TestApp } from '../support/test-app.ts'
import {
  type CompanyRelation,
  ledWriting,
  type MatrixFixture,
  orderAt,
  READ,
  type Row,
  same,
} from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import type { Attempt } from './upload-rows.ts'

const line = { kind: 'third_party', description: 'Guincho', claimed: 120.5 } as const
const claim = { type: 'normal', lines: [line] } as const

/** A claim of an order at this place. */
const claimAt = async (fixture: MatrixFixture, place: CompanyRelation) => {
  const { testApp, companies, brand } = fixture
  const order = await testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
  return testApp.make.claim({ order })
}
const ofOrder = async (fixture: MatrixFixture, place: CompanyRelation) => {
  const order_id = await orderAt(fixture, place)
  return { path: String(order_id), input: { order_id } }
}

/** Warranty claims: everybody in scope sees them, managers and above work on them. */
export const CLAIM_MATRIX: Row[] = [
  {
    rest: ['GET /claims'],
    procedure: 'claimList.page',
    expected: same(200),
    attempt: () => ({ input: {} }),
  },
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
    rest: ['GET /service-orders/{id}/legal-clock'],
    procedure: 'deadlines.legalClock',
    expected: READ,
    attempt: ofOrder,
  },
]

export async function claimContract({ make }: TestApp): Promise<Contract[]> {
  const order = await make.order()
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
    {
      id: 'D-56',
      call: 'GET /service-orders/{id}/legal-clock',
      path: `${at}/legal-clock`,
      reply: legalClockView,
    },
  ]
}

export function claimRefusals({ make }: TestApp): Record<string, () => Promise<Attempt>> {
  return {
    'POST /service-orders/{id}/claims 409': async () => ({
      path: `/service-orders/${(await make.claim()).order_id}/claims`,
      body: claim,
    }),
  }
}
