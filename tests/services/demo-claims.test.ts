import { listDeadlines, readLegalClock } from '@garantia/server/features/claims/deadlines'
import { listClaims } from '@garantia/server/features/claims/list'
import { readReceivable } from '@garantia/server/features/claims/reports'
import { verifyChains } from '@garantia/server/features/records/chain'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { deadlineFilter } from '@garantia/shared/claims/deadlines'
import { sumOf } from '@garantia/shared/claims/money'
import { CLAIM_STATES } from '@garantia/shared/claims/state'
import { isoDay } from '@garantia/shared/format'
import {
  COMPLAINTS,
  createSimulatedClock,
  linkVisitsOf,
  planOrders,
  STORIES,
  simulateClaims,
} from '@garantia/worker/demo'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { make } = testApp
const DAY_MS = 86_400_000
const [complaint] = COMPLAINTS
if (!complaint) throw new Error('no complaint')

/** The windows of the sample brands. */
const brand = await make.brand({
  claim_send_days: 30,
  claim_return_days: 15,
  claim_appeal_days: 30,
  claim_part_days: 90,
  claim_answer_days: 20,
  claim_credit_days: 30,
})
const company = await make.company({ write_off_limit: 1_000 })
const manager = await testApp.as(await make.user({ company_id: company.id, role: 'manager' }))
const claims = () => listClaims(manager.ctx, claimFilter.parse({ limit: 100 }))

test('the stories of completed orders leave claims in every state, whose sums agree', async () => {
  for (const story of STORIES.filter(({ length }) => length > 0)) {
    const completed_at = new Date(Date.now() - 50 * DAY_MS)
    const order = await make.order({
      brand_id: brand.id,
      company_id: company.id,
      status: 'completed',
      opened_at: new Date(completed_at.getTime() - 5 * DAY_MS),
      completed_at,
      problem_description: complaint.problem,
      customer_name: 'Cliente',
      customer_phone: '11987654321',
      vehicle_model: 'Modelo',
      vehicle_chassis: '9BWZZZ377VT004251',
      vehicle_mileage: 12_000,
      diagnosis: complaint.diagnosis,
      solution_applied: complaint.solution,
    })
    await make.converted({ order_id: order.id })
    await make.dossier(order.id)
    const clock = createSimulatedClock(completed_at)
    const costs = { parts_value: 1_000.5, service_value: 300 }
    await simulateClaims(
      { ...manager.ctx, clock: clock.now },
      { id: order.id, os_number: order.os_number, complaint, ...costs },
      story,
      clock,
    )
  }
  const { items } = await claims()
  expect(CLAIM_STATES.filter((state) => !items.some((claim) => claim.state === state))).toEqual([])
  expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['normal', 'appeal', 'supplement']))
  const { rows } = await sql<{ claim_id: number; claimed: number; paid: number; open: number }>`
    select claim_id, sum(claimed)::float8 as claimed, sum(paid)::float8 as paid,
      sum(claimed - paid - written_off - carried)::float8 as open
    from claim_lines group by 1`.execute(ctx.db)
  for (const claim of items) {
    const lines = rows.find(({ claim_id }) => claim_id === claim.id)
    expect([claim.claimed, claim.paid]).toEqual([lines?.claimed, lines?.paid])
  }
  const receivable = await readReceivable(manager.ctx, {})
  expect(receivable.receivable.amount).toBe(sumOf(items.map(({ open_amount }) => Math.max(0, open_amount))))
  expect((await verifyChains(ctx)).faults).toEqual([])
})

test('their deadlines are over, today and near, replaced parts are kept, and refusals name evidence', async () => {
  const { items } = await listDeadlines(manager.ctx, deadlineFilter.parse({ limit: 100 }))
  const today = isoDay(new Date())
  const soon = isoDay(new Date(Date.now() + 7 * DAY_MS))
  expect(items.some(({ is_overdue }) => is_overdue)).toBe(true)
  expect(items.some(({ due_on }) => due_on === today)).toBe(true)
  expect(items.some(({ due_on }) => due_on > today && due_on <= soon)).toBe(true)
  expect(new Set(items.map(({ kind }) => kind))).toEqual(
    new Set(['send', 'answer', 'return', 'appeal', 'credit', 'part']),
  )
  const refused = await listClaims(
    manager.ctx,
    claimFilter.parse({ refusal_reason: 'evidence_missing', refused_category: 'pecas' }),
  )
  expect(refused.total).toBeGreaterThanOrEqual(3)
})

test('one vehicle of the plan makes three visits for one defect, whose days add up', async () => {
  const planned = planOrders(new Date())
  const earlier = planned.filter(({ same_defect_as }) => same_defect_as !== undefined)
  const latest = planned.find(({ os_number }) => os_number === earlier[0]?.same_defect_as)
  if (!latest) throw new Error('no visits')
  expect(earlier).toHaveLength(2)
  for (const { os_number, opened_at, vehicle, dealership, status } of [latest, ...earlier]) {
    expect([vehicle.vehicle_chassis, dealership]).toEqual([latest.vehicle.vehicle_chassis, latest.dealership])
    await make.order({
      os_number,
      opened_at,
      status,
      company_id: company.id,
      vehicle_chassis: vehicle.vehicle_chassis,
      ...(status === 'completed' && { completed_at: new Date(opened_at.getTime() + 3 * DAY_MS) }),
    })
  }
  const { actor } = manager.ctx
  if (actor.kind !== 'user') throw new Error('nobody')
  const entities = { person: () => actor, brand: () => never() }
  for (let times = 0; times < 2; times++) await linkVisitsOf(ctx, planned, entities)
  const { id } = await ctx.db
    .selectFrom('service_orders')
    .where('os_number', '=', latest.os_number)
    .select('id')
    .executeTakeFirstOrThrow()
  const clock = await readLegalClock(manager.ctx, id)
  expect(clock.visits).toHaveLength(3)
  expect(clock.days).toBe(clock.visits.reduce((sum, { days }) => sum + days, 0))
  expect(clock.facts).toMatchObject([{ kind: 'awaiting_part' }])
})

const never = (): never => {
  throw new Error('no brand is needed')
}
