import { noteDue } from '@garantia/server/features/claims/claim'
import { newCalendar } from '@garantia/server/features/claims/deadlines'
import { deadlineCounts, deadlinePage } from '@garantia/shared/claims/deadlines'
import { partReturns, partReturnView } from '@garantia/shared/claims/parts'
import { legalClockView } from '@garantia/shared/claims/visits'
import type { TestApp } from '../support/test-app.ts'
import {
  type CompanyRelation,
  ledWriting,
  type MatrixFixture,
  READ,
  type Row,
  same,
} from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import type { Attempt } from './upload-rows.ts'

const UNKNOWN_CALENDAR = `/calendar/${'x'.repeat(43)}.ics`
const CHASSIS = '9BWZZZ377VT004251'

interface Place {
  company_id?: number
  brand_id?: number
}
/** Two orders of one vehicle, linked or not. */
export async function twoVisits({ make, kernel }: TestApp, place: Place = {}, isLinked = false) {
  const vehicle = { vehicle_chassis: CHASSIS, problem_description: 'Luz do ABS acesa', ...place }
  const first = await make.order(vehicle)
  const { company_id, brand_id } = first
  const second = await make.order({ ...vehicle, company_id, brand_id })
  if (isLinked) {
    const { db } = kernel.ctx
    const { id: group_id } = await db
      .insertInto('defect_groups')
      .values({ company_id, title: 'ABS', actor_name: 'Teste' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('defect_visits')
      .values([first, second].map(({ id }) => ({ order_id: id, group_id, actor_name: 'Teste' })))
      .execute()
  }
  return [first, second] as const
}

/** A replaced part of a claim that was sent. */
export async function keptPart({ make, kernel: { ctx } }: TestApp, place: Place = {}) {
  const claim = await make.claim({ order: await make.order(place) })
  const { db } = ctx
  await db
    .insertInto('claim_lines')
    .values({
      claim_id: claim.id,
      n: 2,
      kind: 'part',
      description: 'Módulo ABS',
      part_number: '5Q0614517',
      quantity: 1,
      claimed: 1890.5,
    })
    .execute()
  await db
    .updateTable('claims')
    .set({ state: 'sent', sent_at: new Date() })
    .where('id', '=', claim.id)
    .execute()
  await noteDue(ctx, claim.id)
  const part = await db
    .selectFrom('part_returns')
    .where('claim_id', '=', claim.id)
    .select('id')
    .executeTakeFirstOrThrow()
  return { ...part, claim_id: claim.id, order_id: claim.order_id }
}

const placeOf = ({ companies, brand }: MatrixFixture, place: CompanyRelation) => ({
  company_id: companies[place].id,
  brand_id: brand.id,
})
const onPair = (rest: string, procedure: string, isLinked: boolean): Row => ({
  rest: [`POST /service-orders/{id}/legal-clock/${rest}`],
  procedure,
  expected: ledWriting([200, 200, 404]),
  async attempt(fixture, place) {
    const [first, second] = await twoVisits(fixture.testApp, placeOf(fixture, place), isLinked)
    const body = { with_order_id: second.id }
    return {
      path: String(first.id),
      ...(rest !== 'unlink' && { body }),
      input: { order_id: first.id, ...(rest !== 'unlink' && body) },
    }
  },
})
const onOrder = (rest: string, procedure: string, body: object): Row => ({
  rest: [rest],
  procedure,
  expected: ledWriting([200, 200, 404]),
  async attempt(fixture, place) {
    const { id } = await fixture.testApp.make.order(placeOf(fixture, place))
    return { path: String(id), body, input: { order_id: id, ...body } }
  },
})
const everybody = same(200)

/** What is due, and the parts and visits it comes from: everybody in scope sees it, managers and above change it. */
export const DEADLINE_MATRIX: Row[] = [
  {
    rest: ['GET /deadlines'],
    procedure: 'deadlines.page',
    expected: everybody,
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['GET /deadlines/counts'],
    procedure: 'deadlines.counts',
    expected: everybody,
    attempt: () => ({}),
  },
  onPair('link', 'deadlines.link', false),
  onPair('unlink', 'deadlines.unlink', true),
  onPair('refuse', 'deadlines.refuse', false),
  onOrder('PATCH /service-orders/{id}/legal-clock', 'deadlines.changeVisit', {
    arrived_at: '2026-01-05T12:00:00Z',
  }),
  onOrder('POST /service-orders/{id}/legal-clock/facts', 'deadlines.addFact', {
    kind: 'awaiting_part',
    from_on: '2026-01-05',
  }),
  { rest: [], procedure: 'deadlines.calendar', expected: everybody, attempt: () => ({}) },
  { rest: [], procedure: 'deadlines.newCalendar', expected: everybody, attempt: () => ({}) },
  { rest: [], procedure: 'deadlines.revokeCalendar', expected: everybody, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'notifications.chooseDeadlineMail',
    expected: everybody,
    attempt: () => ({ input: { wants_deadline_mail: false } }),
  },
  {
    rest: ['GET /calendar/{id}'],
    anonymous: 200,
    expected: everybody,
    attempt: async ({ testApp }) => ({ path: await calendarToken(testApp) }),
  },
  {
    rest: ['GET /claims/{id}/parts'],
    procedure: 'parts.ofClaim',
    expected: READ,
    async attempt(fixture, place) {
      const { claim_id } = await keptPart(fixture.testApp, placeOf(fixture, place))
      return { path: String(claim_id), input: { claim_id } }
    },
  },
  {
    rest: ['PATCH /parts/{id}'],
    procedure: 'parts.change',
    expected: ledWriting([200, 200, 404]),
    async attempt(fixture, place) {
      const { id } = await keptPart(fixture.testApp, placeOf(fixture, place))
      const body = { place: 'Prateleira B3' }
      return { path: String(id), body, input: { id, ...body } }
    },
  },
]

/** The secret part of a new person's calendar, as a program asks for it. */
async function calendarToken(testApp: TestApp) {
  const { ctx } = await testApp.as(await testApp.make.user())
  return (await newCalendar(ctx)).address?.split('/').at(-1) ?? ''
}

export async function deadlineContract(testApp: TestApp): Promise<Contract[]> {
  const [first, second] = await twoVisits(testApp)
  const [linked] = await twoVisits(testApp, {}, true)
  const part = await keptPart(testApp)
  const at = `/service-orders/${first.id}/legal-clock`
  const reply = legalClockView
  return [
    { id: 'D-56', call: 'GET /deadlines', path: '/deadlines?kind=legal,part&limit=5', reply: deadlinePage },
    { id: 'D-56', call: 'GET /deadlines/counts', path: '/deadlines/counts', reply: deadlineCounts },
    {
      id: 'D-56',
      call: 'POST /service-orders/{id}/legal-clock/refuse',
      path: `${at}/refuse`,
      body: { with_order_id: second.id },
      reply,
    },
    {
      id: 'D-56',
      call: 'POST /service-orders/{id}/legal-clock/link',
      path: `${at}/link`,
      body: { with_order_id: second.id, title: 'ABS' },
      reply,
    },
    {
      id: 'D-56',
      call: 'POST /service-orders/{id}/legal-clock/unlink',
      path: `/service-orders/${linked.id}/legal-clock/unlink`,
      reply,
    },
    {
      id: 'D-56',
      call: 'PATCH /service-orders/{id}/legal-clock',
      path: at,
      body: { arrived_at: '2026-01-05T12:00:00Z' },
      reply,
    },
    {
      id: 'D-56',
      call: 'POST /service-orders/{id}/legal-clock/facts',
      path: `${at}/facts`,
      body: { kind: 'loan_car', from_on: '2026-01-05', until_on: '2026-01-09', note: 'Reserva' },
      reply,
    },
    {
      id: 'D-56',
      call: 'GET /claims/{id}/parts',
      path: `/claims/${part.claim_id}/parts`,
      reply: partReturns,
    },
    {
      id: 'D-56',
      call: 'PATCH /parts/{id}',
      path: `/parts/${part.id}`,
      body: { state: 'sent', sent_on: '2026-11-20', attributed_value: 189.05 },
      reply: partReturnView,
    },
    {
      id: 'D-56',
      call: 'GET /calendar/{id}',
      path: `/calendar/${await calendarToken(testApp)}`,
      reply: 'file',
    },
  ]
}

export function deadlineRefusals(testApp: TestApp, strict: TestApp): Record<string, () => Promise<Attempt>> {
  const onLinked = (call: string) => async () => {
    const [first, second] = await twoVisits(testApp, {}, true)
    return {
      path: `/service-orders/${first.id}/legal-clock/${call}`,
      body: { with_order_id: second.id },
    }
  }
  return {
    'POST /service-orders/{id}/legal-clock/link 409': onLinked('link'),
    'POST /service-orders/{id}/legal-clock/refuse 409': onLinked('refuse'),
    'POST /service-orders/{id}/legal-clock/unlink 409': async () => ({
      path: `/service-orders/${(await testApp.make.order()).id}/legal-clock/unlink`,
    }),
    'PATCH /parts/{id} 409': async () => ({
      path: `/parts/${(await keptPart(testApp)).id}`,
      body: { version: 7, place: 'Prateleira B3' },
    }),
    'GET /calendar/{id} 404': async () => ({ as: testApp.anonymous, path: UNKNOWN_CALENDAR }),
    'GET /calendar/{id} 429': async () => {
      const asked = { bucket: 'calendar-unknown|127.0.0', hits: 30, first_at: new Date() }
      await strict.kernel.ctx.db.insertInto('attempts').values(asked).execute()
      return { as: strict.anonymous, path: UNKNOWN_CALENDAR }
    },
  }
}
