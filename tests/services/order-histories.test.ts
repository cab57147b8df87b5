import {
  failConversion,
  leaseConversion,
  requestAllConversions,
} from '@garantia/server/features/evidence/conversion'
import { changeOrder, recompute, setStatus } from '@garantia/server/features/orders/order'
import { AppError } from '@garantia/shared/errors'
import { isClosed, ORDER_STATUSES, type OrderStatus } from '@garantia/shared/orders/status'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { finishWith } from './conversion-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const company = await testApp.make.company()
const brand = await testApp.make.brand()
const asking = await testApp.make.brand({
  required_categories: JSON.stringify([{ category: 'odometro', min: 1 }]),
})
const PEOPLE = {
  technician: await testApp.as(await testApp.make.user({ company_id: company.id })),
  manager: await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id })),
  admin: await testApp.as(await testApp.make.user({ role: 'admin', company_id: null })),
  outsideManager: await testApp.as(await testApp.make.user({ role: 'manager' })),
}

type OrderAction =
  | { does: 'upload' | 'remove' | 'convert' | 'finish' | 'fail' | 'edit' | 'rebrand'; nth: number }
  | { does: 'move'; to: OrderStatus }
type Act = OrderAction & { who: keyof typeof PEOPLE }
const who = fc.constantFrom(...(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[]))
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    does: fc.constantFrom('upload', 'remove', 'convert', 'finish', 'fail', 'edit', 'rebrand'),
    nth: fc.nat(3),
    who,
  }),
  fc.record({ does: fc.constant('move' as const), to: fc.constantFrom(...ORDER_STATUSES), who }),
)

const filesOf = (order_id: number) =>
  db.selectFrom('evidence_files').where('order_id', '=', order_id).selectAll().orderBy('id').execute()
const eventsOf = (order_id: number) =>
  db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .selectAll()
    .orderBy('id')
    .execute()
const rowOf = (id: number) =>
  db.selectFrom('service_orders').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

/** Performs the action as a user or a worker would; true when it took effect on a file. */
async function perform(id: number, one: Act): Promise<boolean> {
  const person = PEOPLE[one.who]
  if (one.does === 'move') {
    await setStatus(person.ctx, id, { status: one.to, reason: 'motivo', accepts_problems: true })
    return true
  }
  const live = (await filesOf(id)).filter((file) => file.deleted_at === null)
  const file = live[one.nth % Math.max(1, live.length)]
  switch (one.does) {
    case 'upload':
      return (await person.upload(id, [{ filename: 'a.jpg', content: await picture() }])).statusCode === 201
    case 'remove':
      return !!file && (await person.api('DELETE', `/evidence/${file.id}`)).statusCode === 200
    case 'convert':
      return (await requestAllConversions(person.ctx, id)).total_files > 0
    case 'edit':
      await changeOrder(person.ctx, {
        id,
        change: { vehicle_model: `modelo ${one.nth}`, customer_phone: one.nth % 2 ? null : '11987654321' },
      })
      return true
    case 'rebrand':
      await changeOrder(person.ctx, { id, change: { brand_id: one.nth % 2 ? brand.id : asking.id } })
      return true
    default: {
      const lease = file && (await leaseConversion(ctx, file.id))
      if (!lease) return false
      return one.does === 'finish'
        ? finishWith(ctx, lease, 500)
        : failConversion(ctx, lease.evidence_id, lease.attempt, 'Não coube.')
    }
  }
}

/** Invariants that hold at any time, whatever happened before. */
async function check(id: number, done: Record<string, number>) {
  const [row, files, events] = [await rowOf(id), await filesOf(id), await eventsOf(id)]
  const live = files.filter((file) => file.deleted_at === null)
  const isConverting = live.some((file) => file.status === 'converting')
  if (isClosed(row.status)) expect(isConverting).toBe(false)
  if (row.status === 'in_progress') expect(isConverting).toBe(true)
  if (row.status === 'ready') expect(live.every((file) => file.status === 'converted')).toBe(true)
  if (['created', 'pending_upload', 'ready'].includes(row.status)) expect(isConverting).toBe(false)

  let status = 'created'
  for (const { kind, changes } of events) {
    if (kind !== 'status') continue
    const [from, to] = (changes as { status: [string, string] }).status
    expect(from).toBe(status)
    expect(to).not.toBe(from)
    status = to
  }
  expect(row.status).toBe(status)
  const byPeople = events.filter(
    ({ kind, actor_user_id }) => ['changed', 'status'].includes(kind) && actor_user_id !== null,
  )
  expect(row.version).toBe(1 + byPeople.length)
  const countOf = (kind: string) => events.filter((event) => event.kind === kind).length
  expect(countOf('evidence.uploaded')).toBe(files.length)
  expect(countOf('evidence.deleted')).toBe(files.length - live.length)
  expect(countOf('evidence.converted')).toBe(done.finish ?? 0)
  expect(countOf('evidence.failed')).toBe(done.fail ?? 0)
  expect(countOf('conversion.requested')).toBe(done.convert ?? 0)
}

/** All rows of an order, without the counter that each recomputation increments. */
const look = async (id: number) => {
  const { evidence_version: _, ...row } = await rowOf(id)
  return { row, files: await filesOf(id), events: await eventsOf(id) }
}

async function live(steps: readonly (readonly Act[])[]) {
  const { id } = await testApp.make.order({
    company_id: company.id,
    brand_id: brand.id,
    problem_description: 'Ruído',
    customer_name: 'Maria',
    customer_phone: '11987654321',
    vehicle_model: 'X',
  })
  const done: Record<string, number> = {}
  for (const step of steps) {
    const before = await rowOf(id)
    const outcomes = await Promise.allSettled(step.map((one) => perform(id, one)))
    for (const [index, outcome] of outcomes.entries()) {
      const does = step[index]?.does ?? ''
      if (outcome.status === 'fulfilled' && outcome.value) done[does] = (done[does] ?? 0) + 1
      if (outcome.status === 'rejected' && !(outcome.reason instanceof AppError)) throw outcome.reason
    }
    const wasLeftAlone = step.every(({ does }) => does !== 'move') && isClosed(before.status)
    if (wasLeftAlone) expect(await rowOf(id)).toEqual(before)
    await check(id, done)
  }
  const found = await look(id)
  await recompute(ctx, id)
  await recompute(ctx, id)
  expect(await look(id)).toEqual(found)
}

test('in any sequence of actions on an order no transition is illegal, no event is lost, and recomputing changes nothing (decisions 2)', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(act), { minLength: 8, maxLength: 24 }), live), {
    numRuns: count({ exhaustive: 25, default: 12 }),
    endOnFailure: true,
  })
})

test('the same is true when three users act concurrently (reliability 17)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 2, maxLength: 3 }), { minLength: 4, maxLength: 10 }),
      live,
    ),
    { numRuns: count({ exhaustive: 20, default: 10 }), endOnFailure: true },
  )
})
