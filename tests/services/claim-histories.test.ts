import {
  appealClaim,
  changeClaim,
  claimsOfOrder,
  correctDecision,
  decideClaim,
  openClaim,
  submitClaim,
  withdrawClaim,
} from '@garantia/server/features/claims/claim'
import {
  correctEntry,
  debitClaim,
  payClaim,
  reconcileClaim,
  recordCreditNote,
  writeOffClaim,
} from '@garantia/server/features/claims/entries'
import { verifyChains } from '@garantia/server/features/records/chain'
import { recordEvent } from '@garantia/server/kernel'
import { amountOf, centsOf } from '@garantia/shared/claims/money'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { decidedState, moneyState, stepRefusal } from '@garantia/shared/claims/steps'
import { openOf, SUM_NAMES, sumsOf } from '@garantia/shared/claims/sums'
import { AppError } from '@garantia/shared/errors'
import { isoDay } from '@garantia/shared/format'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { claimFigures } from '../support/claim-figures.ts'
import { count } from '../support/exhaustive.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

const ACTS = {
  change: 'change',
  submit: 'send',
  review: 'review',
  return: 'return',
  decide: 'decide',
  correctDecision: 'correct_decision',
  withdraw: 'withdraw',
  appeal: 'appeal',
  supplement: 'supplement',
  creditNote: 'credit_note',
  pay: 'pay',
  debit: 'debit',
  writeOff: 'write_off',
  correctEntry: 'correct_entry',
  reconcile: 'reconcile',
} as const
type ActName = keyof typeof ACTS
interface Act {
  does: ActName
  /** Which claim of the order, and of it which line or entry. */
  nth: number
  share: number
}
/** Steps that lead on are more frequent, so that histories reach their end. */
const FREQUENT: ActName[] = ['submit', 'decide', 'decide', 'pay', 'pay', 'appeal', 'submit']
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom(...(Object.keys(ACTS) as ActName[]), ...FREQUENT),
  nth: fc.nat(5),
  share: fc.integer({ min: 0, max: 4 }),
})
/** Half of the histories begin with an appeal that is sent: seldom would they come to it by chance. */
const beginning: fc.Arbitrary<Act[]> = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 3 }))
  .map(([isAppealed, share]) => {
    const [submit, decide, appeal] = (['submit', 'decide', 'appeal'] as const).map((does) => ({
      does,
      nth: 0,
      share,
    }))
    if (!isAppealed || !submit || !decide || !appeal) return []
    return [submit, decide, appeal, { ...submit, nth: 1 }]
  })
/** Seldom by chance: a claim of one line that is answered whole, in part or not at all, and what follows. */
const examples: [{ cents: number[]; beginning: Act[]; acts: Act[] }][] = [
  { share: 4, after: ['pay', 'debit'] as const },
  { share: 2, after: ['correctDecision', 'pay'] as const },
  { share: 0, after: ['appeal', 'submit'] as const },
].map(({ share, after }) => [
  {
    cents: [1_000],
    beginning: [],
    acts: (['submit', 'decide', ...after] as const).map((does) => ({ does, nth: 0, share })),
  },
])
const history = fc.record({
  beginning,
  cents: fc.array(fc.constantFrom(1, 2, 3, 10, 99, 1_000, 333_333), { minLength: 1, maxLength: 3 }),
  acts: fc.array(act, { minLength: 8, maxLength: 26 }),
})

const line = (claimed: number) => ({ kind: 'third_party' as const, description: 'Guincho', claimed })
/** So many quarters of an amount, to the cent. */
const shareOf = (amount: number, share: number) => amountOf(Math.floor((centsOf(amount) * share) / 4))

async function perform(claim: ClaimView, { does, nth, share }: Act) {
  const { id, order_id, lines, entries } = claim
  const answers = lines.map(({ id: line_id, claimed }, index) => ({
    line_id,
    authorised: shareOf(claimed, (share + index) % 5),
    reason: 'not_covered' as const,
  }))
  const one = lines[nth % Math.max(1, lines.length)]
  const of = (amount: number) => [
    { line_id: one?.id ?? 0, amount: Math.max(0.01, shareOf(amount, share || 1)) },
  ]
  const booked_on = isoDay(ctx.clock())
  const reason = 'Conferido'
  switch (does) {
    case 'change':
      return changeClaim(ctx, { id, change: { lines: lines.length > 0 ? lines.map(asInput) : [line(0.01)] } })
    case 'submit':
      return submitClaim(ctx, id, {})
    case 'review':
      return decideClaim(ctx, id, { answer: 'in_review' })
    case 'return':
      return decideClaim(ctx, id, { answer: 'returned', brand_words: 'Falta a foto' })
    case 'decide':
      return decideClaim(ctx, id, { answer: 'decided', lines: answers })
    case 'correctDecision':
      return correctDecision(ctx, id, { reason, lines: answers })
    case 'withdraw':
      return withdrawClaim(ctx, id, { reason })
    case 'appeal':
      return appealClaim(ctx, id, {})
    case 'supplement':
      return openClaim(ctx, order_id, { type: 'supplement', previous_id: id, lines: [line(0.03)] })
    case 'creditNote':
      return recordCreditNote(ctx, id, { credit_note_on: nth % 2 ? null : booked_on })
    case 'pay':
      return payClaim(ctx, id, {
        booked_on,
        ...(nth % 2 ? { amount: 0.01 } : { lines: of(one?.claimed ?? 1) }),
      })
    case 'debit':
      return debitClaim(ctx, id, { booked_on, reason, lines: of(one?.paid ?? 1) })
    case 'writeOff':
      return writeOffClaim(ctx, id, { reason, lines: of(one?.claimed ?? 1) })
    case 'correctEntry':
      return correctEntry(ctx, id, { entry_id: entries[nth % Math.max(1, entries.length)]?.id ?? 1, reason })
    case 'reconcile':
      return reconcileClaim(ctx, id, { reason })
  }
}
const asInput = ({ description, claimed, previous_line_id }: ClaimView['lines'][number]) => ({
  ...line(claimed),
  description,
  previous_line_id,
})

/** What holds of a claim after whatever has happened. */
function checkClaim(claim: ClaimView) {
  const sums = sumsOf(claim.lines)
  for (const name of SUM_NAMES) expect([name, claim[name]]).toEqual([name, sums[name]])
  expect(claim.open_amount).toBe(openOf(claim.state, claim))
  for (const one of claim.lines)
    for (const [name, kind] of [
      ['paid', 'payment'],
      ['debited', 'debit'],
      ['written_off', 'write_off'],
      ['carried', 'carry'],
    ] as const) {
      const own = claim.entries.filter((entry) => entry.line_id === one.id && entry.kind === kind)
      expect([name, centsOf(one[name])]).toEqual([
        name,
        own.reduce((all, { amount }) => all + centsOf(amount), 0),
      ])
    }
  const decision = claim.decisions.filter(({ lines }) => lines.length > 0).at(-1)
  if (['draft', 'sent', 'in_review', 'returned', 'withdrawn'].includes(claim.state)) {
    expect([claim.paid, claim.authorised, decision]).toEqual([0, 0, undefined])
    return
  }
  const authorised = new Map(decision?.lines.map((one) => [one.line_id, one.authorised]))
  expect(claim.lines.map((one) => one.authorised)).toEqual(claim.lines.map((one) => authorised.get(one.id)))
  if (claim.state === 'reconciled') expect(claim.open_amount).toBeLessThanOrEqual(0)
  else {
    const decided = claim.lines.map((one) => ({ claimed: one.claimed, authorised: one.authorised ?? 0 }))
    expect(claim.state).toBe(moneyState(decidedState(decided), claim))
  }
}

/** What sent appeals claim of a line is carried from it, or was taken back: nothing is expected twice. */
function checkCarried(claims: readonly ClaimView[]) {
  const live = claims.filter(
    ({ type, state }) => type === 'appeal' && state !== 'draft' && state !== 'withdrawn',
  )
  const contested = live.flatMap(({ lines }) => lines)
  for (const one of claims.flatMap(({ lines }) => lines)) {
    const appeals = contested.filter(({ previous_line_id }) => previous_line_id === one.id)
    const claimed = appeals.reduce((all, line) => all + centsOf(line.claimed), 0)
    expect(centsOf(one.carried)).toBeLessThanOrEqual(claimed)
    expect(claimed - centsOf(one.carried)).toBeLessThanOrEqual(centsOf(one.debited))
  }
}

const problemsOf = async (order_id: number) =>
  (await verifyChains(ctx, order_id)).faults.map(({ seq, problem }) => `${seq}: ${problem}`)

async function checkTotals() {
  const { noted, actual } = await claimFigures(ctx)
  expect(noted).toEqual(actual)
}

test('whatever happens to claims, no state is illegal and no cent is lost or counted twice (D-56)', async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(history, async ({ cents, beginning, acts }) => {
      const { order_id } = await testApp.make.sendableClaim({ amounts: cents.map(amountOf) })
      await recordEvent(ctx, { subject: 'order', subject_id: order_id, kind: 'opened' })
      // Made rows have no events: only what the history adds to that counts.
      const made = await problemsOf(order_id)
      let before = (await claimsOfOrder(ctx, order_id)).data
      for (const one of [...beginning, ...acts]) {
        const claim = before[one.nth % before.length]
        if (!claim) continue
        const step = one.does === 'submit' && claim.state === 'returned' ? 'resend' : ACTS[one.does]
        const refusal = stepRefusal(claim, step)
        const error = await perform(claim, one).then(
          () => null,
          (error: unknown) => error,
        )
        if (error !== null && !(error instanceof AppError)) throw error
        // The table of steps is never passed over; other rules may refuse more.
        if (refusal) expect(error).toBeInstanceOf(AppError)
        const { data } = await claimsOfOrder(ctx, order_id)
        if (error) expect(data).toEqual(before)
        else reached.add(one.does)
        for (const each of data) {
          checkClaim(each)
          reached.add(each.state)
          if (each.entries.some(({ kind, amount }) => kind === 'carry' && amount < 0))
            reached.add('carried back')
        }
        checkCarried(data)
        before = data
      }
      await checkTotals()
      expect(await problemsOf(order_id)).toEqual(made)
    }),
    { numRuns: count({ exhaustive: 50, default: 20 }), examples },
  )
  // A history that never gets anywhere would prove nothing.
  for (const name of [
    'accepted',
    'partial',
    'rejected',
    'credited',
    'carried back',
    'correctDecision',
    'debit',
  ])
    expect(reached).toContain(name)
}, 240_000)
