import {
  addFact,
  changeVisit,
  linkVisits,
  listDeadlines,
  readLegalClock,
  refuseVisit,
  unlinkVisit,
} from '@garantia/server/features/claims/deadlines'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { ctx } = testApp.kernel
const { db } = ctx

let vehicles = 0
const chassis = () => `9BWZZZ377VT${String(++vehicles).padStart(6, '0')}`
/** Noon in Brasília, so that the day is the same in every zone of Brazil, unless a time is given. */
const moment = (at: string) => new Date(at.includes('T') ? at : `${at}T12:00:00-03:00`)
const on = (now: string) => ({ ...ctx, clock: () => moment(now) })

type Stay = [from: string, until: string | null]
/** Orders of one vehicle in a company of this state, linked as visits for one defect; null goes on. */
async function vehicle(state: string, stays: readonly Stay[]) {
  const { id: company_id } = await make.company({ state })
  const { id: brand_id } = await make.brand()
  const vehicle_chassis = chassis()
  const ids: number[] = []
  for (const [from, until] of stays) {
    const { id } = await make.order({
      company_id,
      brand_id,
      vehicle_chassis,
      problem_description: 'Luz do ABS acesa no painel',
      opened_at: moment(from),
      ...(until && { status: 'completed', completed_at: moment(until) }),
    })
    const first = ids[0]
    if (first !== undefined) await linkVisits(ctx, { order_id: id, with_order_id: first })
    ids.push(id)
  }
  return { company_id, ids, last: ids.at(-1) ?? 0 }
}

const NINE: Stay[] = [
  ['2026-01-05', '2026-01-14'],
  ['2026-02-02', '2026-02-11'],
  ['2026-03-02', '2026-03-11'],
  ['2026-04-06', '2026-04-15'],
]
test.each<[string, string, Stay[], string, object]>([
  ['one visit that goes on', 'SP', [['2026-05-01', null]], '2026-05-11', { days: 10, due_on: '2026-05-31' }],
  ['one visit on its last day', 'SP', [['2026-05-01', null]], '2026-05-31', { days: 30, state: 'overdue' }],
  ['three visits of nine days', 'SP', NINE.slice(0, 3), '2026-11-01', { days: 27, state: 'near' }],
  [
    'four visits of nine days',
    'SP',
    NINE,
    '2026-11-01',
    { days: 36, due_on: '2026-04-09', state: 'overdue' },
  ],
  [
    'five, of which the last goes on',
    'SP',
    [...NINE.slice(0, 3), ['2026-04-06', '2026-04-08'], ['2026-06-01', null]],
    '2026-06-02',
    { days: 30, is_running: true, due_on: '2026-06-02', state: 'overdue' },
  ],
  [
    'two that overlap count shared days once',
    'SP',
    [
      ['2026-01-01', '2026-01-11'],
      ['2026-01-06', '2026-01-16'],
    ],
    '2026-02-01',
    { days: 15, state: null },
  ],
  [
    'over the end of a year',
    'SP',
    [
      ['2025-12-20', '2025-12-30'],
      ['2026-01-02', null],
    ],
    '2026-01-12',
    { days: 20, due_on: '2026-01-22', state: 'near' },
  ],
  [
    'evening in Manaus is the same day there, and the next one in Brasília',
    'AM',
    [['2026-05-01T23:30:00-04:00', null]],
    '2026-05-11T12:00:00-03:00',
    { days: 10, due_on: '2026-05-31' },
  ],
  [
    'in Brasília',
    'SP',
    [['2026-05-01T23:30:00-04:00', null]],
    '2026-05-11T12:00:00-03:00',
    { days: 9, due_on: '2026-06-01' },
  ],
  [
    'in Acre, two hours behind, over the end of a year',
    'AC',
    [['2025-12-31T23:30:00-05:00', null]],
    '2026-01-10T12:00:00-03:00',
    { days: 10, due_on: '2026-01-30' },
  ],
])('the legal clock: %s', async (_, state, stays, now, expected) => {
  const { last, company_id } = await vehicle(state, stays)
  const clock = await readLegalClock(on(now), last)
  expect(clock).toMatchObject(expected)
  expect(clock.visits).toHaveLength(stays.length)
  const { items } = await listDeadlines(on(now), { kind: ['legal'], company_id: [company_id] })
  expect(items.map(({ due_on, order_id, is_overdue }) => [due_on, order_id, is_overdue])).toEqual(
    clock.is_running ? [[clock.due_on, last, clock.state === 'overdue']] : [],
  )
})

test('an order that was reopened goes on, and waiting for a part or a loan car stops nothing', async () => {
  const { last } = await vehicle('SP', [['2026-05-01', '2026-05-05']])
  expect(await readLegalClock(on('2026-05-21'), last)).toMatchObject({ days: 4, is_running: false })
  await db
    .updateTable('service_orders')
    .set({ status: 'created', completed_at: null })
    .where('id', '=', last)
    .execute()
  await addFact(on('2026-05-21'), { order_id: last, kind: 'awaiting_part', from_on: '2026-05-03' })
  await addFact(on('2026-05-21'), { order_id: last, kind: 'loan_car', from_on: '2026-05-04' })
  const clock = await addFact(on('2026-05-21'), {
    order_id: last,
    kind: 'awaiting_part',
    from_on: '2026-05-03',
    until_on: '2026-05-12',
    note: 'Chegou',
  })
  expect(clock).toMatchObject({ days: 20, is_running: true, due_on: '2026-05-31' })
  expect(clock.facts).toMatchObject([
    { kind: 'awaiting_part', from_on: '2026-05-03', until_on: '2026-05-12', note: 'Chegou' },
    { kind: 'loan_car', from_on: '2026-05-04', until_on: null },
  ])
})

test('arrival and repair may differ from the order, and may not be to come or contradict each other', async () => {
  const { last } = await vehicle('SP', [['2026-05-10', '2026-05-20']])
  const change = (dates: object) => changeVisit(on('2026-06-10'), { order_id: last, ...dates })
  expect(await change({ arrived_at: '2026-05-01T12:00:00-03:00' })).toMatchObject({ days: 19 })
  expect(await change({ repaired_at: '2026-05-08T12:00:00-03:00' })).toMatchObject({ days: 7 })
  await expect(change({ repaired_at: '2026-04-30T12:00:00-03:00' })).rejects.toMatchObject({
    code: 'invalid',
  })
  await expect(change({ arrived_at: '2026-06-11T12:00:00-03:00' })).rejects.toMatchObject({ code: 'invalid' })
  expect(await change({ arrived_at: null, repaired_at: null })).toMatchObject({ days: 10 })
  const { kind, changes } = await db
    .selectFrom('events')
    .where('subject_id', '=', last)
    .where('subject', '=', 'order')
    .orderBy('id')
    .select(['kind', 'changes'])
    .executeTakeFirstOrThrow()
  expect([kind, changes]).toEqual(['visit.changed', { arrived_at: [null, '2026-05-01T15:00:00.000Z'] }])
})

const visitOf = (fields: object) =>
  make.order({ problem_description: 'Luz do ABS acesa no painel', ...fields })

test('the same vehicle with a similar description within twelve months is proposed, and linked or refused by hand', async () => {
  const vehicle_chassis = chassis()
  const own = await visitOf({ vehicle_chassis, opened_at: moment('2026-05-01') })
  const place = { company_id: own.company_id, brand_id: own.brand_id, vehicle_chassis }
  const similar = await visitOf({ ...place, opened_at: moment('2025-06-01') })
  const twin = await visitOf({ ...place, opened_at: moment('2026-04-01') })
  await visitOf({ ...place, opened_at: moment('2025-04-01') })
  await visitOf({ ...place, problem_description: 'Ruído na suspensão', opened_at: moment('2026-04-10') })
  await visitOf({ ...place, vehicle_chassis: chassis(), opened_at: moment('2026-04-10') })
  await visitOf({ vehicle_chassis, brand_id: own.brand_id, opened_at: moment('2026-04-10') })
  const proposed = async () =>
    (await readLegalClock(on('2026-05-02'), own.id)).proposed.map(({ order_id }) => order_id)
  expect(await proposed()).toEqual([twin.id, similar.id])
  await refuseVisit(ctx, { order_id: own.id, with_order_id: similar.id })
  await refuseVisit(ctx, { order_id: similar.id, with_order_id: own.id })
  expect(await proposed()).toEqual([twin.id])
  const linked = await linkVisits(ctx, { order_id: own.id, with_order_id: twin.id, title: 'ABS' })
  expect(linked).toMatchObject({ title: 'ABS', proposed: [] })
  expect(linked.visits.map(({ order_id }) => order_id)).toEqual([twin.id, own.id])
  expect((await readLegalClock(ctx, twin.id)).group_id).toBe(linked.group_id)
})

test('groups are joined and taken apart, each step in the chain of the orders', async () => {
  const { ids, company_id } = await vehicle('SP', [
    ['2026-01-01', '2026-01-05'],
    ['2026-02-01', '2026-02-05'],
  ])
  const [one = 0, two = 0] = ids
  const { vehicle_chassis, brand_id } = await db
    .selectFrom('service_orders')
    .where('id', '=', one)
    .select(['vehicle_chassis', 'brand_id'])
    .executeTakeFirstOrThrow()
  const place = { company_id, brand_id, vehicle_chassis }
  const three = await visitOf({ ...place, opened_at: moment('2026-03-01') })
  const four = await visitOf({ ...place, opened_at: moment('2026-04-01') })
  await linkVisits(ctx, { order_id: four.id, with_order_id: three.id })
  const joined = await linkVisits(ctx, { order_id: three.id, with_order_id: two })
  expect(joined.visits.map(({ order_id }) => order_id)).toEqual([one, two, three.id, four.id])
  const groups = await db
    .selectFrom('defect_groups')
    .where('company_id', '=', company_id)
    .select('id')
    .execute()
  expect(groups).toHaveLength(1)
  await expect(linkVisits(ctx, { order_id: one, with_order_id: four.id })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect((await unlinkVisit(ctx, two)).visits.map(({ order_id }) => order_id)).toEqual([two])
  expect((await readLegalClock(ctx, one)).visits.map(({ order_id }) => order_id)).toEqual([
    one,
    three.id,
    four.id,
  ])
  await expect(unlinkVisit(ctx, two)).rejects.toMatchObject({ code: 'conflict' })
  const kinds = await db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', two)
    .orderBy('id')
    .select('kind')
    .execute()
  expect(kinds.map(({ kind }) => kind)).toEqual(['defect.linked', 'defect.linked', 'defect.unlinked'])
})

test('visits to another company, of another vehicle or without a chassis are not linked', async () => {
  const vehicle_chassis = chassis()
  const own = await visitOf({ vehicle_chassis })
  const place = { company_id: own.company_id, brand_id: own.brand_id }
  const refused = async (fields: object) => {
    const { id } = await visitOf({ ...place, ...fields })
    await expect(linkVisits(ctx, { order_id: own.id, with_order_id: id })).rejects.toMatchObject({
      code: 'invalid',
    })
  }
  await refused({ vehicle_chassis, company_id: (await make.company()).id })
  await refused({ vehicle_chassis: chassis() })
  await refused({ vehicle_chassis: null })
  await expect(linkVisits(ctx, { order_id: own.id, with_order_id: own.id })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('two who link the same visits at once make one group', async () => {
  const { company_id, ids } = await vehicle('SP', [['2026-01-01', '2026-01-05']])
  const [one = 0] = ids
  const { vehicle_chassis, brand_id } = await db
    .selectFrom('service_orders')
    .where('id', '=', one)
    .select(['vehicle_chassis', 'brand_id'])
    .executeTakeFirstOrThrow()
  const two = await visitOf({ company_id, brand_id, vehicle_chassis })
  const results = await Promise.allSettled([
    linkVisits(ctx, { order_id: one, with_order_id: two.id }),
    linkVisits(ctx, { order_id: two.id, with_order_id: one }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const groups = await db
    .selectFrom('defect_groups')
    .where('company_id', '=', company_id)
    .select('id')
    .execute()
  expect(groups).toHaveLength(1)
})
