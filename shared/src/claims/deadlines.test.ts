import { expect, test } from 'vitest'
import { type ClaimWindows, claimWindows, daysAfter, dueOf } from './deadlines.ts'
import type { ClaimState } from './state.ts'

const windows: ClaimWindows = {
  claim_send_days: 10,
  claim_return_days: 5,
  claim_appeal_days: 20,
  claim_part_days: 90,
  claim_answer_days: 15,
  claim_credit_days: 12,
}
const days = { repaired_on: '2026-12-28', sent_on: '2026-12-30', answered_on: '2027-01-10' }
const claim = (state: ClaimState, given: object = {}) => ({
  state,
  is_appealed: false,
  claimed: 100,
  authorised: 0,
  paid: 0,
  debited: 0,
  written_off: 0,
  carried: 0,
  ...given,
})

test.each<[ClaimState, object | null]>([
  ['draft', { kind: 'send', on: '2027-01-07' }],
  ['sent', { kind: 'answer', on: '2027-01-14' }],
  ['in_review', { kind: 'answer', on: '2027-01-14' }],
  ['returned', { kind: 'return', on: '2027-01-15' }],
  ['accepted', { kind: 'credit', on: '2027-01-22' }],
  ['partial', { kind: 'credit', on: '2027-01-22' }],
  ['rejected', { kind: 'appeal', on: '2027-01-30' }],
  ['credited', null],
  ['reconciled', null],
  ['debited', null],
  ['withdrawn', null],
])('%s: due next is %o', (state, due) => expect(dueOf(claim(state), days, windows)).toEqual(due))

test('the earlier of two windows is due; what was appealed is not due again', () => {
  const early = { ...windows, claim_appeal_days: 3 }
  expect(dueOf(claim('partial'), days, early)).toEqual({ kind: 'appeal', on: '2027-01-13' })
  expect(dueOf(claim('partial', { is_appealed: true }), days, early)?.kind).toBe('credit')
  expect(dueOf(claim('rejected', { is_appealed: true }), days, early)).toBeNull()
})

test('nothing is due of what is settled, without a window, or before its beginning', () => {
  expect(dueOf(claim('rejected', { written_off: 100 }), days, windows)).toBeNull()
  expect(dueOf(claim('sent'), days, { ...windows, claim_answer_days: null })).toBeNull()
  expect(dueOf(claim('draft'), { ...days, repaired_on: null }, windows)).toBeNull()
})

test('days go over the ends of months, years and leap days', () => {
  expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysAfter('2026-03-01', 30)).toBe('2026-03-31')
})

test.each([0, -1, 1.5, 3651])('%s is no window', (wrong) =>
  expect(claimWindows.safeParse({ ...windows, claim_send_days: wrong }).success).toBe(false),
)
