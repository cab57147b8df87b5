import { readClaim } from '@garantia/server/features/claims/claim'
import {
  answerClaim,
  correctEntry,
  debitClaim,
  payClaim,
  reconcileClaim,
  writeOffClaim,
} from '@garantia/server/features/claims/entries'
import { verifyChains } from '@garantia/server/features/records/chain'
import { sumOf } from '@garantia/shared/claims/money'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { claimFixture } from './claim-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { make } = testApp
const { eventsOf } = claimFixture(testApp)
const ON = '2026-01-05'

/** Orders that a test has made have no event of their own. */
const brokenChains = async () => (await verifyChains(ctx)).faults.filter(({ seq }) => seq > 0)

test('R$ 0,01 over three lines stays R$ 0,01, and what is paid is divided by what is authorised', async () => {
  const { id } = await make.claim({ state: 'accepted', amounts: [0.01, 0.01, 0.01] })
  const paid = await payClaim(ctx, id, { booked_on: ON, amount: 0.01 })
  expect(paid).toMatchObject({ paid: 0.01, state: 'credited', open_amount: 0.02 })
  expect(paid.lines.map((line) => line.paid)).toEqual([0.01, 0, 0])
  const whole = await payClaim(ctx, id, { booked_on: ON, amount: 0.02 })
  expect(whole.lines.map((line) => line.paid)).toEqual([0.01, 0.01, 0.01])
  const { id: other } = await make.claim({ state: 'partial', amounts: [100, 50], authorised: [80, 0] })
  const part = await payClaim(ctx, other, { booked_on: ON, amount: 33.33 })
  expect(part.lines.map((line) => line.paid)).toEqual([33.33, 0])
})

test('an answer and its payment are two steps of the chain, or none (D-56)', async () => {
  const claim = await make.claim({ state: 'sent', amounts: [60, 40] })
  const lines = claim.lines.map((line) => ({ line_id: line.id, authorised: line.claimed }))
  const answer = (booked_on: string) =>
    answerClaim(ctx, claim.id, { answer: 'decided', lines, payment: { booked_on, amount: 100 } })
  await expect(answer('2999-01-01')).rejects.toMatchObject({ detail: [{ loc: ['payment', 'booked_on'] }] })
  expect(await readClaim(ctx, claim.id)).toMatchObject({ state: 'sent', decisions: [], entries: [] })
  expect(await answer(ON)).toMatchObject({ state: 'credited', authorised: 100, paid: 100, open_amount: 0 })
  expect((await eventsOf(claim.order_id)).slice(-2)).toMatchObject([
    { kind: 'claim.decided', changes: { outcome: 'accepted', authorised: 100 } },
    { kind: 'claim.paid', changes: { amount: 100, booked_on: ON } },
  ])
  await expect(answer(ON)).rejects.toMatchObject({ code: 'conflict' })
  expect(await brokenChains()).toEqual([])
})

test('a payment is entered, debited, corrected, written off and reconciled, each in its state and on record', async () => {
  const order = await make.order()
  const { id, lines } = await make.claim({ order, state: 'accepted', amounts: [60, 40] })
  const [one = { id: 0 }] = lines
  await expect(reconcileClaim(ctx, id, { reason: 'x' })).rejects.toMatchObject({ code: 'conflict' })
  const paid = await payClaim(ctx, id, { booked_on: ON, lines: [{ line_id: one.id, amount: 60 }] })
  expect(paid).toMatchObject({ state: 'credited', paid: 60, open_amount: 40 })
  const debit = (amount: number) =>
    debitClaim(ctx, id, { booked_on: ON, reason: 'Auditoria', lines: [{ line_id: one.id, amount }] })
  await expect(debit(60.01)).rejects.toMatchObject({ code: 'invalid' })
  const debited = await debit(10)
  // What the brand took back is not expected again.
  expect(debited).toMatchObject({ state: 'debited', debited: 10, open_amount: 40 })
  const entry = (kind: string) => debited.entries.find((found) => found.kind === kind)?.id ?? 0
  const correct = (entry_id: number) => correctEntry(ctx, id, { entry_id, reason: 'Engano' })
  await expect(correct(entry('payment'))).rejects.toMatchObject({ code: 'conflict' })
  expect(await correct(entry('debit'))).toMatchObject({ state: 'credited', debited: 0 })
  await expect(correct(entry('debit'))).rejects.toMatchObject({ code: 'conflict' })
  const corrected = await correct(entry('payment'))
  expect(corrected).toMatchObject({ state: 'accepted', paid: 0, open_amount: 100 })
  const reversal = corrected.entries.at(-1)
  expect(reversal).toMatchObject({ amount: -60, corrects_id: entry('payment'), reason: 'Engano' })
  await expect(correct(reversal?.id ?? 0)).rejects.toMatchObject({ code: 'conflict' })

  await payClaim(ctx, id, { booked_on: ON, amount: 99.5 })
  const rest = (await payClaim(ctx, id, { booked_on: ON, amount: 0.1 })).lines.map((line) => ({
    line_id: line.id,
    amount: sumOf([line.claimed, -line.paid]),
  }))
  const missing = rest.filter(({ amount }) => amount > 0)
  const written = await writeOffClaim(ctx, id, { reason: 'Centavos', lines: missing })
  expect(written).toMatchObject({ written_off: 0.4, open_amount: 0 })
  expect(await reconcileClaim(ctx, id, { reason: 'Conferido' })).toMatchObject({
    state: 'reconciled',
    due_on: null,
    steps: expect.not.arrayContaining(['reconcile']),
  })
  const events = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order.id)
    .where('kind', 'like', 'claim.%')
    .select('kind')
    .orderBy('id')
    .execute()
  expect(events.map(({ kind }) => kind)).toEqual([
    'claim.paid',
    'claim.debited',
    'claim.corrected',
    'claim.corrected',
    'claim.paid',
    'claim.paid',
    'claim.written_off',
    'claim.reconciled',
  ])
  expect(await brokenChains()).toEqual([])
})

test('the limit of write-offs is of all of a claim together, and only administrators pass it', async () => {
  const company = await make.company({ write_off_limit: 1 })
  const manager = await testApp.as(await make.user({ role: 'manager', company_id: company.id }))
  const admin = await testApp.as(await make.user({ role: 'admin' }))
  const order = await make.order({ company_id: company.id })
  const { id, lines } = await make.claim({ order, state: 'partial', amounts: [10], authorised: [5] })
  const give = (by: typeof manager, amount: number) =>
    writeOffClaim(by.ctx, id, { reason: 'Centavos', lines: [{ line_id: lines[0]?.id ?? 0, amount }] })
  await give(manager, 0.6)
  await expect(give(manager, 0.41)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await give(manager, 0.4)).toMatchObject({ written_off: 1 })
  await expect(give(admin, 9.01)).rejects.toMatchObject({ code: 'invalid' })
  expect(await give(admin, 9)).toMatchObject({ written_off: 10, open_amount: 0 })
})

test('another version, another claim’s line and a day to come are refused', async () => {
  const { id, lines } = await make.claim({ state: 'accepted' })
  const other = await make.claim({ state: 'accepted' })
  const pay = (fields: object) => payClaim(ctx, id, { booked_on: ON, amount: 1, ...fields })
  await expect(pay({ version: 99 })).rejects.toMatchObject({ code: 'conflict' })
  await expect(pay({ booked_on: '2999-01-01' })).rejects.toMatchObject({ code: 'invalid' })
  await expect(
    pay({ amount: undefined, lines: [{ line_id: other.lines[0]?.id ?? 0, amount: 1 }] }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect(lines).toHaveLength(1)
})
