import { readClaim } from '@garantia/server/features/claims/claim'
import {
  correctEntry,
  debitClaim,
  payClaim,
  reconcileClaim,
  writeOffClaim,
} from '@garantia/server/features/claims/entries'
import { listClaims } from '@garantia/server/features/claims/list'
import {
  listDifferences,
  resolveDifference,
  typeRemittance,
  undoRemittance,
} from '@garantia/server/features/claims/remittances'
import { readReceivable } from '@garantia/server/features/claims/reports'
import { verifyChains } from '@garantia/server/features/records/chain'
import { claimFilter } from '@garantia/shared/claims/criteria'
import { amountOf, sumOf } from '@garantia/shared/claims/money'
import { TOTAL_SUMS, type TotalSums } from '@garantia/shared/claims/reports'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { decidedState, moneyState } from '@garantia/shared/claims/steps'
import { isSettled, SUM_NAMES } from '@garantia/shared/claims/sums'
import { AppError } from '@garantia/shared/errors'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { fillClaims, judgedSet, remittanceSet } from '../support/remittance-set.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { make } = testApp
const ON = '2026-01-05'
const MOST = 25

const nth = fc.nat(30)
const cents = fc.integer({ min: 1, max: 12_000 })
const act = fc.oneof(
  fc.record({ does: fc.constantFrom('pay', 'debit', 'writeOff'), nth, line: nth, cents }),
  fc.record({ does: fc.constant('divide'), nth, cents }),
  fc.record({ does: fc.constantFrom('correct', 'reconcile', 'undo'), nth, line: nth }),
  fc.record({
    does: fc.constant('import'),
    lines: fc.array(
      fc.record({
        nth,
        cents: fc.oneof(
          cents,
          cents.map((one) => -one),
          fc.constant(0),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    isUndone: fc.boolean(),
  }),
  fc.record({ does: fc.constant('resolve'), nth, to: fc.constantFrom('booked', 'written_off', 'ignored') }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

interface Scene {
  company_id: number
  brand_id: number
  claims: number[]
  remittances: number[]
}
async function scene(): Promise<Scene> {
  const company = await make.company({ write_off_limit: 50 })
  const brand = await make.brand({ payment_tolerance: 0.1 })
  const claims: number[] = []
  const amounts = [[0.01, 0.01, 0.01], [100], [33.33, 33.33, 33.34], [50, 0.07], [12]]
  for (const [index, one] of amounts.entries()) {
    const order = await make.order({ company_id: company.id, brand_id: brand.id })
    const state = index === 3 ? 'partial' : index === 4 ? 'rejected' : 'accepted'
    const authorised = index === 3 ? [20, 0.07] : undefined
    const { id } = await make.claim({
      ...{ order, state, amounts: one, brand_number: `SG${company.id}-${index}` },
      ...(authorised && { authorised }),
    })
    claims.push(id)
  }
  return { company_id: company.id, brand_id: brand.id, claims, remittances: [] }
}

const at = <T>(list: readonly T[], n: number) => list[n % Math.max(1, list.length)]
const viewsOf = ({ claims }: Scene) => Promise.all(claims.map((id) => readClaim(ctx, id)))
const moneyOf = (views: readonly ClaimView[]) =>
  views.map(({ state, lines, open_amount, paid, debited, written_off, due_on }) => ({
    ...{ state, lines, open_amount, paid, debited, written_off, due_on },
  }))

/** Performs the act; what the rules refuse changes nothing. */
async function perform(scene: Scene, one: Act) {
  const { claims, company_id, brand_id, remittances } = scene
  if (one.does === 'import' && 'lines' in one) {
    const views = await viewsOf(scene)
    const lines = one.lines.flatMap(({ nth, cents }) => {
      const claim = at(views, nth)
      // Nought stands for what is still expected of the claim.
      const amount = cents === 0 ? sumOf([claim?.authorised ?? 0, -(claim?.paid ?? 0)]) : amountOf(cents)
      return claim && amount !== 0 ? [{ brand_number: claim.brand_number, amount }] : []
    })
    if (lines.length === 0) return
    const typed = { company_id, brand_id, paid_on: ON, lines }
    const { id } = await typeRemittance(ctx, typed)
    const booked = moneyOf(await viewsOf(scene))
    const again = await typeRemittance(ctx, typed)
    expect(again.outcomes.matched).toBe(0)
    expect(moneyOf(await viewsOf(scene))).toEqual(booked)
    await undoRemittance(ctx, again.id, { reason: 'Repetido' })
    expect(moneyOf(await viewsOf(scene))).toEqual(booked)
    if (!one.isUndone) return remittances.push(id)
    await undoRemittance(ctx, id, { reason: 'Errado' })
    return expect(moneyOf(await viewsOf(scene))).toEqual(moneyOf(views))
  }
  if (!('nth' in one)) return
  if (one.does === 'undo') {
    const id = at(remittances, one.nth)
    return id && undoRemittance(ctx, id, { reason: 'Errado' })
  }
  if ('to' in one) {
    const { items } = await listDifferences(ctx, { company_id: [company_id] })
    const line = at(items, one.nth)
    return line && resolveDifference(ctx, line.id, { resolution: one.to as 'booked', note: 'Conferido' })
  }
  const id = at(claims, one.nth) ?? 0
  if (one.does === 'reconcile') return reconcileClaim(ctx, id, { reason: 'Conferido' })
  const claim = await readClaim(ctx, id)
  if (one.does === 'correct' && 'line' in one) {
    const entry = at(claim.entries, one.line)
    return entry && correctEntry(ctx, id, { entry_id: entry.id, reason: 'Engano' })
  }
  if (!('cents' in one)) return
  const amount = amountOf(one.cents)
  if (!('line' in one)) return payClaim(ctx, id, { booked_on: ON, amount })
  const lines = [{ line_id: at(claim.lines, one.line)?.id ?? 0, amount }]
  if (one.does === 'pay') return payClaim(ctx, id, { booked_on: ON, lines })
  if (one.does === 'debit') return debitClaim(ctx, id, { booked_on: ON, reason: 'Auditoria', lines })
  return writeOffClaim(ctx, id, { reason: 'Centavos', lines })
}

const MOVED = { payment: 'paid', debit: 'debited', write_off: 'written_off', carry: 'carried' } as const
function checkClaim(claim: ClaimView) {
  for (const name of SUM_NAMES) expect(claim[name]).toBe(sumOf(claim.lines.map((line) => line[name] ?? 0)))
  for (const line of claim.lines)
    for (const [kind, name] of Object.entries(MOVED))
      expect(line[name]).toBe(
        sumOf(
          claim.entries.flatMap((one) => (one.line_id === line.id && one.kind === kind ? one.amount : [])),
        ),
      )
  expect(claim.open_amount).toBe(sumOf([claim.claimed, -claim.paid, -claim.written_off, -claim.carried]))
  const decided = decidedState(
    claim.lines.map(({ claimed, authorised }) => ({ claimed, authorised: authorised ?? 0 })),
  )
  if (claim.state === 'reconciled') expect(isSettled(claim)).toBe(true)
  else expect(claim.state).toBe(moneyState(decided, claim))
}

async function checkReports({ company_id }: Scene, views: readonly ClaimView[]) {
  const report = await readReceivable(ctx, { company_id: [company_id] })
  const added = (lines: readonly TotalSums[], name: keyof TotalSums) => sumOf(lines.map((line) => line[name]))
  expect(report.totals.claims).toBe(views.length)
  for (const name of TOTAL_SUMS) {
    expect(report.totals[name]).toBe(sumOf(views.map((claim) => claim[name])))
    for (const part of [report.brands, report.companies, report.states])
      expect(added(part, name)).toBe(report.totals[name])
  }
  const { receivable, overpaid, ages } = report
  expect(sumOf([receivable.amount, overpaid.amount])).toBe(report.totals.open_amount)
  expect(sumOf(ages.map(({ amount }) => amount))).toBe(receivable.amount)
  const figures = [receivable, overpaid, ...ages]
  const counted = [
    ...figures,
    ...[...report.states, ...report.brands].map(({ open_amount, ...line }) => ({
      ...line,
      amount: open_amount,
    })),
  ]
  for (const { claims, amount, criteria } of counted) {
    const { items, total } = await listClaims(ctx, claimFilter.parse({ ...criteria, limit: 100 }))
    expect([total, sumOf(items.map((one) => one.open_amount))]).toEqual([claims, amount])
  }
}

/** Orders that a test has made have no event of their own. */
const brokenChains = async () => (await verifyChains(ctx)).faults.filter(({ seq }) => seq > 0)

test('over random payments, debits, write-offs, corrections, imports and undos every sum is that of its lines', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: MOST }), async (acts) => {
      const one = await scene()
      for (const step of acts) {
        try {
          await perform(one, step)
          taken++
        } catch (error) {
          if (!(error instanceof AppError)) throw error
        }
        for (const claim of await viewsOf(one)) checkClaim(claim)
      }
      await checkReports(one, await viewsOf(one))
    }),
    { numRuns: count({ exhaustive: 12, default: 6 }), endOnFailure: true },
  )
  expect(taken).toBeGreaterThan(30)
  expect(await brokenChains()).toEqual([])
})

test('of a generated remittance all that can be matched is, nothing wrongly, and undone it is as before', async () => {
  const { id: company_id } = await make.company()
  const { id: brand_id } = await make.brand()
  await fillClaims(ctx, { count: 2_000, company_id, brand_id })
  const set = remittanceSet(200, 2_000)
  const before = await readReceivable(ctx, { company_id: [company_id] })
  const lines = set.map(({ truth: _, ...line }) => line)
  const { id } = await typeRemittance(ctx, { company_id, brand_id, paid_on: ON, lines })
  const { share, wrong, lines: kept } = await judgedSet(ctx, id, set)
  expect({ kept, wrong }).toEqual({ kept: 200, wrong: 0 })
  expect(share).toBeGreaterThanOrEqual(0.98)
  const paid = sumOf(set.flatMap(({ truth, amount }) => (truth === null ? [] : amount)))
  const after = await readReceivable(ctx, { company_id: [company_id] })
  expect(after.totals.paid).toBe(paid)
  await undoRemittance(ctx, id, { reason: 'Errado' })
  expect(await readReceivable(ctx, { company_id: [company_id] })).toEqual(before)
})
