import { expect, test } from 'vitest'
import {
  awaitedOf,
  awaitedText,
  type ClaimWindows,
  claimWindows,
  daysAfter,
  dueOf,
  FIRST_BEGINNINGS,
  partDueOn,
  WINDOW_EVENTS,
  type WindowBeginnings,
  type WindowEvent,
  windowBeginnings,
} from './deadlines.ts'
import type { ClaimState } from './state.ts'

const windows: ClaimWindows & WindowBeginnings = {
  ...FIRST_BEGINNINGS,
  claim_send_days: 10,
  claim_return_days: 5,
  claim_appeal_days: 20,
  claim_part_days: 90,
  claim_answer_days: 15,
  claim_credit_days: 12,
}
const days = {
  repaired_on: '2026-12-28',
  first_sent_on: '2026-12-29',
  sent_on: '2026-12-30',
  answered_on: '2027-01-10',
  credit_note_on: '2027-01-20',
  paid_on: '2027-02-01',
}
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

const HAPPENED = {
  sent: 'sent_on',
  answered: 'answered_on',
  credit_note: 'credit_note_on',
  paid: 'paid_on',
} as const
test.each<[WindowEvent, string, string]>([
  ['sent', '2027-01-19', '2027-03-29'],
  ['answered', '2027-01-30', '2027-04-10'],
  ['credit_note', '2027-02-09', '2027-04-20'],
  ['paid', '2027-02-21', '2027-05-02'],
])('days that run from %s: appeal until %s, parts until %s', (event, appeal, part) => {
  const rules = { ...windows, claim_appeal_from: event, claim_part_from: event }
  const refused = claim('rejected')
  expect(dueOf(refused, days, rules)).toEqual({ kind: 'appeal', on: appeal })
  expect(awaitedOf(refused, days, rules)).toBeNull()
  expect(partDueOn(refused, days, rules)).toBe(part)
})

test.each(WINDOW_EVENTS)(
  'while %s has not happened, the deadline is open and says what it waits for',
  (event) => {
    const rules = { ...windows, claim_appeal_from: event, claim_part_from: event }
    const before = {
      ...days,
      first_sent_on: event === 'sent' ? null : days.first_sent_on,
      [HAPPENED[event]]: null,
    }
    expect(dueOf(claim('rejected'), before, rules)).toBeNull()
    expect(awaitedOf(claim('rejected'), before, rules)).toBe(event)
    expect(awaitedText(event)).toMatch(/^corre d[ao] .+, que ainda não houve$/)
    expect(partDueOn(claim('rejected'), before, rules)).toBeNull()
    // Without days, of what is settled and of what was appealed nothing is awaited.
    expect(awaitedOf(claim('rejected'), before, { ...rules, claim_appeal_days: null })).toBeNull()
    expect(awaitedOf(claim('rejected', { written_off: 100 }), before, rules)).toBeNull()
    expect(awaitedOf(claim('rejected', { is_appealed: true }), before, rules)).toBeNull()
    expect(awaitedOf(claim('accepted'), before, rules)).toBeNull()
  },
)

test('parts are kept from the first sending, and from an answer that is not a return', () => {
  expect(partDueOn(claim('returned'), days, windows)).toBe('2027-03-29')
  const answered = { ...windows, claim_part_from: 'answered' as const }
  expect(partDueOn(claim('returned'), days, answered)).toBeNull()
  expect(partDueOn(claim('credited'), days, answered)).toBe('2027-04-10')
})

test('days of an appeal that run from the credit go on when the accepted rest was paid', () => {
  const paid = claim('credited', { authorised: 60, paid: 60 })
  const rules = { ...windows, claim_appeal_from: 'paid' as const }
  expect(dueOf(paid, days, rules)).toEqual({ kind: 'appeal', on: '2027-02-21' })
  expect(dueOf(claim('credited', { authorised: 100, paid: 60 }), days, rules)).toBeNull()
})

test('an unknown beginning is no rule', () =>
  expect(windowBeginnings.safeParse({ claim_appeal_from: 'repaired', claim_part_from: 'sent' }).success).toBe(
    false,
  ))
