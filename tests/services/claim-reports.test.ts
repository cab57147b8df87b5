import { payClaim } from '@garantia/server/features/claims/entries'
import { listClaims } from '@garantia/server/features/claims/list'
import { proposeRules } from '@garantia/server/features/claims/reasons'
import { readAnswers, readReceivable } from '@garantia/server/features/claims/reports'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { sumOf } from '@garantia/shared/claims/money'
import { REFUSAL_PARTS } from '@garantia/shared/claims/reports'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { claimFigures } from '../support/claim-figures.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp

const company = await make.company()
const technician = await make.user({ full_name: 'Téo Técnico', company_id: company.id })
const lead = await testApp.as(await make.user({ role: 'manager', company_id: company.id }))
const toyota = await make.brand({ display_name: 'Toyota' })
const kia = await make.brand({
  display_name: 'Kia',
  required_categories: JSON.stringify([{ category: 'causa', min: 1 }]),
})

interface Answer {
  outcome: 'in_review' | 'returned' | 'accepted' | 'partial' | 'rejected'
  at: string
  /** R$ authorised of the only line, and why not more. */
  authorised?: number
  reason?: string
  evidence_category?: string
  corrects_id?: number
}
let number = 0
/** A claim of R$ 100,00 that was sent on a day and answered as given, in a company of its own scope. */
async function answered(brand_id: number, sent: string, answers: Answer[], fields: object = {}) {
  const order = await make.order({ company_id: company.id, brand_id, ...fields })
  const state = answers.at(-1)?.outcome ?? 'sent'
  const claim = await make.claim({ order, state, authorised: [answers.at(-1)?.authorised ?? 100] })
  await db
    .updateTable('claims')
    .set({ sent_at: new Date(`${sent}T12:00:00-03:00`) })
    .where('id', '=', claim.id)
    .execute()
  for (const [index, one] of answers.entries()) {
    const { id } = await db
      .insertInto('claim_decisions')
      .values({
        claim_id: claim.id,
        n: index + 1,
        outcome: one.outcome,
        decided_at: new Date(`${one.at}T12:00:00-03:00`),
        corrects_id: one.corrects_id ?? null,
        reason: one.corrects_id ? 'Engano' : null,
        actor_name: 'Teste',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    number = id
    if (one.authorised !== undefined)
      await db
        .insertInto('claim_decision_lines')
        .values({
          decision_id: id,
          line_id: claim.lines[0]?.id ?? 0,
          authorised: one.authorised,
          reason: one.reason ?? null,
          evidence_category: one.evidence_category ?? null,
        })
        .execute()
  }
  return claim
}
const refused = { outcome: 'rejected', authorised: 0, reason: 'evidence_missing' } as const

/** The list that a figure leads to has its claims. */
async function listed(criteria: object) {
  const { items, total } = await listClaims(lead.ctx, claimFilter.parse({ ...criteria, limit: 100 }))
  expect(items).toHaveLength(total)
  return { claims: total, open: sumOf(items.map(({ open_amount }) => open_amount)) }
}

test('answers of a period: first acceptance, mean days, refusals, each with the list of its claims', async () => {
  const accepted = { outcome: 'accepted', authorised: 100 } as const
  const paid = await answered(toyota.id, '2026-03-01', [{ ...accepted, at: '2026-03-11' }])
  await answered(toyota.id, '2026-03-01', [
    { outcome: 'in_review', at: '2026-03-02' },
    { outcome: 'returned', at: '2026-03-06' },
    { ...accepted, at: '2026-03-20' },
  ])
  await answered(toyota.id, '2026-02-01', [{ ...refused, at: '2026-03-31', evidence_category: 'causa' }], {
    technician_user_id: technician.id,
  })
  await answered(kia.id, '2026-03-01', [
    { outcome: 'partial', at: '2026-04-01', authorised: 30, reason: 'late' },
  ])
  // Corrected: what the first answer said does not count any more.
  const corrected = await answered(kia.id, '2026-03-01', [{ ...refused, at: '2026-03-04' }])
  await db
    .insertInto('claim_decisions')
    .values({
      claim_id: corrected.id,
      n: 2,
      outcome: 'accepted',
      decided_at: new Date('2026-03-05T12:00:00-03:00'),
      corrects_id: number,
      reason: 'Engano',
      actor_name: 'Teste',
    })
    .execute()
  const later = await answered(kia.id, '2026-05-01', [{ ...accepted, at: '2026-05-02' }])
  await payClaim(ctx, paid.id, { booked_on: '2026-03-31', amount: 100 })
  // Dated before it was sent: credited on the day of its sending, which is after these months.
  await payClaim(ctx, later.id, { booked_on: '2026-04-30', amount: 100 })

  const report = await readAnswers(lead.ctx, { from: '2026-03', until: '2026-04' })
  expect(report.first_answers).toMatchObject({ answered: 5, accepted: 2, rate: 40 })
  expect(report.first_answers_of_brands.map(({ name, answered, rate }) => [name, answered, rate])).toEqual([
    ['Toyota', 3, 33.3],
    ['Kia', 2, 50],
  ])
  // 10, 5, 58, 31 and 4 days.
  expect(report.days_to_answer).toMatchObject({ claims: 5, days: 21.6 })
  expect(report.days_to_credit).toMatchObject({ claims: 1, days: 30 })
  expect(report.refused).toMatchObject({ claims: 2, lines: 2, amount: 170 })
  expect(report.reasons.map(({ key, amount }) => [key, amount])).toEqual([
    ['evidence_missing', 100],
    ['late', 70],
  ])
  expect(report.technicians.map(({ name, claims }) => [name, claims])).toEqual([
    ['Téo Técnico', 1],
    ['Sem técnico', 1],
  ])
  expect(report.categories.map(({ name }) => name)).toEqual(['Causa', 'Sem categoria'])
  expect(report.months.map(({ key, amount }) => [key, amount])).toEqual([
    ['2026-03', 100],
    ['2026-04', 70],
  ])
  const { first_answers, refused: all } = report
  expect(await listed(first_answers.criteria)).toMatchObject({ claims: 5 })
  expect(await listed(first_answers.accepted_criteria)).toMatchObject({ claims: 2 })
  for (const part of [
    [all, report.days_to_answer, report.days_to_credit],
    report.first_answers_of_brands.map((one) => ({ ...one, claims: one.answered })),
    ...REFUSAL_PARTS.map((name) => report[name]),
  ])
    for (const { claims, criteria } of part) expect(await listed(criteria)).toMatchObject({ claims })
  for (const name of REFUSAL_PARTS) expect(sumOf(report[name].map(({ amount }) => amount))).toBe(all.amount)
})

test('what is to be received stands by its age, up to the day on which it changes', async () => {
  const { id: company_id } = await make.company()
  const now = new Date('2026-06-30T23:30:00-03:00')
  for (const days of [0, 15, 16, 30, 31, 60, 61, 400]) {
    const order = await make.order({ company_id, brand_id: toyota.id })
    const { id } = await make.claim({ order, state: 'sent', amounts: [days + 1] })
    const sent_at = sql<Date>`${now}::timestamptz - make_interval(days => ${days})`
    await db.updateTable('claims').set({ sent_at }).where('id', '=', id).execute()
  }
  const report = await readReceivable({ ...ctx, clock: () => now }, { company_id: [company_id] })
  expect(report.ages.map(({ label, claims, amount }) => [label, claims, amount])).toEqual([
    ['0–15 dias', 2, 17],
    ['16–30 dias', 2, 48],
    ['31–60 dias', 2, 93],
    ['Mais de 60 dias', 2, 463],
  ])
  expect(report.receivable).toMatchObject({ claims: 8, amount: 621 })
})

test('refusals for want of evidence propose what the rules of the brand do not ask for', async () => {
  const today = new Date().toISOString().slice(0, 10)
  for (const category of ['causa', 'causa', 'causa', 'placa'])
    for (const brand of [toyota, kia])
      await answered(brand.id, '2026-01-01', [{ ...refused, at: today, evidence_category: category }])
  const { data, count } = await proposeRules(lead.ctx)
  expect(count).toBe(1)
  expect(data[0]).toMatchObject({
    brand: { id: toyota.id },
    category: 'causa',
    refusals: 4,
    of_category: 3,
    min: 0,
    proposed_min: 1,
    text: 'Recusas por evidência ausente na Toyota: 4 em 30 dias, 3 por falta de Causa. Exigir?',
  })
  expect(await listed(data[0]?.criteria ?? {})).toMatchObject({ claims: 3 })
  const stranger = await testApp.as(await make.user({ role: 'manager' }))
  expect(await proposeRules(stranger.ctx)).toEqual({ data: [], count: 0 })
  expect((await readReceivable(stranger.ctx, {})).totals.claims).toBe(0)
  expect((await readAnswers(stranger.ctx, { from: '2026-03', until: '2026-04' })).refused.lines).toBe(0)
})

test('a refused line follows its order: technician, brand, company and the bin', async () => {
  const { id: elsewhere } = await make.company()
  const orders = await db
    .selectFrom('claim_refusals')
    .innerJoin('claims', 'claims.id', 'claim_refusals.claim_id')
    .select('claims.order_id')
    .distinct()
    .limit(4)
    .execute()
  expect(orders).toHaveLength(4)
  for (const [place, change] of [
    { technician_user_id: null },
    { technician_user_id: technician.id },
    { brand_id: kia.id, company_id: elsewhere },
    { deleted_at: new Date() },
  ].entries())
    await db
      .updateTable('service_orders')
      .set(change)
      .where('id', '=', orders[place]?.order_id ?? 0)
      .execute()
  const { noted, actual } = await claimFigures({ db })
  expect(noted.claim_refusals).toEqual(actual.claim_refusals)
  expect(new Set(noted.claim_refusals?.map((row) => (row as { company_id: number }).company_id)).size).toBe(2)
})
