import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf } from './money.ts'
import { CLAIM_STATES, type ClaimState } from './state.ts'
import {
  CLAIM_STEPS,
  type ClaimStep,
  decidedState,
  moneyState,
  NOT_SETTLED,
  nextStep,
  stepRefusal,
  stepsOf,
} from './steps.ts'

const claim = (state: ClaimState, paid = 0) => ({
  state,
  type: 'normal' as const,
  claimed: 100,
  authorised: 0,
  paid,
  debited: 0,
  written_off: 0,
  carried: 0,
})

const ALLOWED: Record<ClaimState, ClaimStep[]> = {
  draft: ['change', 'send', 'withdraw'],
  sent: ['review', 'return', 'decide', 'withdraw'],
  in_review: ['return', 'decide', 'withdraw'],
  returned: ['resend', 'decide', 'withdraw'],
  accepted: ['credit_note', 'pay', 'write_off', 'correct_decision', 'correct_entry', 'supplement'],
  partial: ['credit_note', 'pay', 'write_off', 'correct_decision', 'correct_entry', 'appeal', 'supplement'],
  rejected: ['credit_note', 'pay', 'write_off', 'correct_decision', 'correct_entry', 'appeal', 'supplement'],
  credited: [
    'credit_note',
    'pay',
    'debit',
    'write_off',
    'correct_decision',
    'correct_entry',
    'appeal',
    'supplement',
  ],
  reconciled: ['credit_note', 'pay', 'debit', 'correct_entry', 'appeal', 'supplement'],
  debited: [
    'credit_note',
    'pay',
    'debit',
    'write_off',
    'correct_decision',
    'correct_entry',
    'appeal',
    'supplement',
  ],
  withdrawn: [],
}
test.each(CLAIM_STATES)('what may be done with a claim that is %s', (state) => {
  expect(stepsOf(claim(state))).toEqual(ALLOWED[state])
})

test('reconciling needs every cent explained', () => {
  expect(stepRefusal(claim('credited', 99.99), 'reconcile')).toBe(NOT_SETTLED)
  expect(stepRefusal(claim('credited', 100), 'reconcile')).toBeNull()
  expect(stepRefusal(claim('sent', 100), 'reconcile')).toMatch(/enviada/)
})

test('a draft without lines is not sent', () => {
  expect(stepRefusal({ ...claim('draft'), claimed: 0 }, 'send')).toMatch(/item/)
})

test.each<[ClaimState, number, ClaimStep | null, authorised?: number]>([
  ['draft', 0, 'send'],
  ['sent', 0, 'decide'],
  ['in_review', 0, 'decide'],
  ['returned', 0, 'resend'],
  ['accepted', 0, 'pay', 100],
  ['partial', 0, 'pay', 60],
  ['rejected', 0, 'appeal'],
  ['credited', 50, 'pay', 60],
  ['credited', 60, 'appeal', 60],
  ['credited', 100, 'reconcile'],
  ['reconciled', 100, null],
  ['withdrawn', 0, null],
])('%s with R$ %s paid: next is %s', (state, paid, next, authorised = 0) => {
  const one = { ...claim(state, paid), authorised }
  expect(nextStep(one)).toBe(next)
  if (next) expect(stepsOf(one)).toContain(next)
})

test('the answer follows from the lines: nobody types «aceita em parte»', () => {
  const line = (claimed: number, authorised: number) => ({ claimed, authorised })
  expect(decidedState([line(100, 100), line(0.3, 0.1 + 0.2)])).toBe('accepted')
  expect(decidedState([line(100, 0), line(50, 0)])).toBe('rejected')
  expect(decidedState([line(100, 100), line(50, 0)])).toBe('partial')
  expect(decidedState([line(100, 99.99)])).toBe('partial')
  expect(decidedState([line(100, 0.01)])).toBe('partial')
})

test('the state follows from the money once any was paid', () => {
  expect(moneyState('partial', { paid: 0, debited: 0 })).toBe('partial')
  expect(moneyState('partial', { paid: 0.01, debited: 0 })).toBe('credited')
  expect(moneyState('accepted', { paid: 10, debited: 0.01 })).toBe('debited')
})

test('whatever is done, a claim that was sent is never a draft again, and a withdrawn one stays so', () => {
  const amount = fc.integer({ min: 0, max: 10_000 }).map(amountOf)
  fc.assert(
    fc.property(
      fc.constantFrom(...CLAIM_STATES),
      fc.constantFrom(...CLAIM_STEPS),
      amount,
      (state, step, paid) => {
        if (state === 'withdrawn') expect(stepRefusal(claim(state, paid), step)).not.toBeNull()
        if (step === 'change' || step === 'send')
          expect(stepRefusal(claim(state, paid), step) === null).toBe(state === 'draft')
      },
    ),
  )
})
