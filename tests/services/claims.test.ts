import { claimsOfOrder, openClaim, readClaim } from '@garantia/server/features/claims/claim'
import { readLegalClock } from '@garantia/server/features/claims/deadlines'
import { listClaims } from '@garantia/server/features/claims/list'
import type { ClaimInput } from '@garantia/shared/claims/schema'
import { calendarDaysBetween } from '@garantia/shared/format'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const part = { kind: 'part', description: 'Módulo', part_number: 'A1', quantity: 1, claimed: 0.1 } as const
const labour = {
  kind: 'labour',
  description: 'Troca',
  labour_code: '4512',
  hours: 1.5,
  claimed: 0.2,
} as const
const normal = (lines: ClaimInput['lines'] = [part, labour]): ClaimInput => ({ type: 'normal', lines })

test('a claim is opened with its lines, and the order has the event in its chain (D-56)', async () => {
  const order = await testApp.make.order({ status: 'completed', completed_at: new Date() })
  const claim = await openClaim(ctx, order.id, normal())
  expect(claim).toMatchObject({ n: 1, state: 'draft', claimed: 0.3, open_amount: 0, order_id: order.id })
  expect(claim.lines).toMatchObject([part, labour])
  expect(claim.steps).toEqual(['change', 'send', 'withdraw'])
  expect(await readClaim(ctx, claim.id)).toEqual(claim)
  expect(await claimsOfOrder(ctx, order.id)).toEqual({ data: [claim], count: 1 })
  const event = await db
    .selectFrom('events')
    .where('subject_id', '=', order.id)
    .where('kind', '=', 'claim.opened')
    .select('changes')
    .executeTakeFirstOrThrow()
  expect(event.changes).toMatchObject({
    claim: `SG ${order.os_number}-1`,
    claim_type: 'normal',
    claimed: 0.3,
  })
})

test('the order has one normal claim, of two opened at once too', async () => {
  const { id } = await testApp.make.order()
  const results = await Promise.allSettled([1, 2, 3].map(() => openClaim(ctx, id, normal())))
  const refused = results.filter((one) => one.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['conflict', 'conflict'])
})

test('a draft is due by the days of its brand since the end of the repair', async () => {
  const brand = await testApp.make.brand({ claim_send_days: 10 })
  const order = await testApp.make.order({
    brand_id: brand.id,
    status: 'completed',
    completed_at: new Date('2026-11-01T12:00:00-03:00'),
  })
  expect(await openClaim(ctx, order.id, normal())).toMatchObject({ due_kind: 'send', due_on: '2026-11-11' })
})

test('an appeal claims lines of the claim before, and at most what is missing of them', async () => {
  const {
    id: previous_id,
    order_id,
    lines,
  } = await testApp.make.claim({ state: 'rejected', amounts: [10, 20] })
  const [one, two] = lines
  const appeal = (claimed: number, previous_line_id = one?.id) =>
    openClaim(ctx, order_id, {
      type: 'appeal',
      previous_id,
      lines: [{ kind: 'third_party', description: 'Guincho', claimed, previous_line_id }],
    })
  await expect(appeal(10.01)).rejects.toMatchObject({ code: 'invalid' })
  await expect(appeal(1, 999_999)).rejects.toMatchObject({ code: 'invalid' })
  expect(await appeal(10)).toMatchObject({ n: 2, type: 'appeal', previous_id })
  expect(await appeal(20, two?.id)).toMatchObject({ n: 3 })
})

test('what is not refused is not appealed, and a claim of another order is no previous one', async () => {
  const sent = await testApp.make.claim({ state: 'sent' })
  const other = await testApp.make.claim({ state: 'rejected' })
  const open = (order_id: number, previous_id: number) =>
    openClaim(ctx, order_id, { type: 'appeal', previous_id, lines: [] })
  await expect(open(sent.order_id, sent.id)).rejects.toMatchObject({ code: 'conflict' })
  await expect(open(sent.order_id, other.id)).rejects.toMatchObject({ code: 'invalid' })
})

test('the list finds by state, number of the order and open amount, sorts, and counts what it lists', async () => {
  const order = await testApp.make.order()
  const { company_id } = order
  const { id } = await testApp.make.claim({ order, state: 'accepted', amounts: [40, 2.5] })
  const second = await testApp.make.order({ company_id, brand_id: order.brand_id })
  const draft = await testApp.make.claim({ order: second, amounts: [99] })
  const ids = async (filter: Parameters<typeof listClaims>[1]) => {
    const page = await listClaims(ctx, { company_id: [company_id], ...filter })
    expect(page.total).toBe(page.items.length)
    return page.items.map((one) => one.id)
  }
  expect(await ids({})).toEqual([draft.id, id])
  expect(await ids({ sort: 'claimed', direction: 'asc' })).toEqual([id, draft.id])
  expect(await ids({ state: ['accepted'] })).toEqual([id])
  expect(await ids({ search: order.os_number })).toEqual([id])
  expect(await ids({ is_open: true })).toEqual([id])
  const page = await listClaims(ctx, { company_id: [company_id], skip: 1, limit: 1 })
  expect(page).toMatchObject({
    total: 2,
    total_is_exact: true,
    // Sent an hour ago, which in the first hour of a day was yesterday.
    items: [
      { id, open_amount: 42.5, age_days: calendarDaysBetween(new Date(Date.now() - 3_600_000), new Date()) },
    ],
  })
})

test('the legal clock adds the visits of a group', async () => {
  const first = await testApp.make.order()
  const later = await testApp.make.order({ company_id: first.company_id, brand_id: first.brand_id })
  const group = await db
    .insertInto('defect_groups')
    .values({ company_id: first.company_id, title: 'ABS', actor_name: 'Teste' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const day = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * day)
  expect(await readLegalClock(ctx, later.id)).toMatchObject({ days: 0, is_running: true, group_id: null })
  await db
    .insertInto('defect_visits')
    .values([
      {
        order_id: first.id,
        group_id: group.id,
        arrived_at: ago(60),
        repaired_at: ago(38),
        actor_name: 'Teste',
      },
      { order_id: later.id, group_id: group.id, arrived_at: ago(10), repaired_at: null, actor_name: 'Teste' },
    ])
    .execute()
  const clock = await readLegalClock(ctx, later.id)
  expect(clock).toMatchObject({ days: 32, is_running: true, state: 'overdue', title: 'ABS' })
  expect(clock.visits.map(({ order_id }) => order_id)).toEqual([first.id, later.id])
})
