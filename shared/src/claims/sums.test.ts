import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, centsOf } from './money.ts'
import { ageBucketOf } from './soon.ts'
import {
  appealableOf,
  carriedBy,
  isSettled,
  isWithinTolerance,
  openOf,
  passesLimit,
  receivedOf,
  remainderOf,
  type Sums,
  sumsOf,
} from './sums.ts'

const line = (given: Partial<Sums>): Sums => ({
  claimed: 100,
  authorised: null,
  paid: 0,
  debited: 0,
  written_off: 0,
  carried: 0,
  ...given,
})

const cents = fc.integer({ min: 0, max: 99_999_999 }).map(amountOf)
const anyLine = fc.record({
  claimed: cents,
  authorised: fc.option(cents),
  paid: cents,
  debited: cents,
  written_off: cents,
  carried: cents,
})

test('what is open of a claim is the sum of what is open of its lines', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 50 }), (lines) => {
      const sum = lines.reduce((all, one) => all + centsOf(openOf('accepted', one)), 0)
      expect(centsOf(openOf('accepted', sumsOf(lines)))).toBe(sum)
    }),
  )
})

test('nothing is open of what was not sent, or was withdrawn', () => {
  expect(openOf('draft', line({}))).toBe(0)
  expect(openOf('withdrawn', line({}))).toBe(0)
  expect(openOf('sent', line({}))).toBe(100)
})

test('a debit does not raise what is open, and lowers what was received', () => {
  const paid = line({ paid: 100 })
  expect(remainderOf({ ...paid, debited: 40 })).toBe(0)
  expect(receivedOf({ ...paid, debited: 40 })).toBe(60)
  expect(appealableOf({ ...paid, debited: 40 })).toBe(40)
})

test('what an appeal claims is expected once: of the appeal, and no longer of the claim before', () => {
  fc.assert(
    fc.property(anyLine, cents, (former, claimed) => {
      const appealed = Math.min(claimed, appealableOf(former))
      const carried = carriedBy(former, appealed)
      const after = { ...former, carried: amountOf(centsOf(former.carried) + centsOf(carried)) }
      const before = Math.max(0, centsOf(remainderOf(former)))
      const rest = Math.max(0, centsOf(remainderOf(after)))
      expect(rest).toBe(Math.max(0, before - centsOf(appealed)))
      // Beyond what was expected, an appeal contests what was taken back.
      expect(centsOf(appealed) - centsOf(carried)).toBeLessThanOrEqual(centsOf(former.debited))
    }),
  )
})

test('a claim is settled once each cent is paid, written off or carried; being paid more settles it too', () => {
  expect(isSettled(line({ paid: 99.99 }))).toBe(false)
  expect(isSettled(line({ paid: 50, written_off: 20, carried: 30 }))).toBe(true)
  expect(isSettled(line({ paid: 100.01 }))).toBe(true)
})

test('the limit of write-offs holds for all of a claim together, to the cent', () => {
  expect(passesLimit(50, 0, 50)).toBe(false)
  expect(passesLimit(50, 0, 50.01)).toBe(true)
  expect(passesLimit(50, 30, 20)).toBe(false)
  expect(passesLimit(50, 30, 20.01)).toBe(true)
  expect(passesLimit(0, 0, 0.01)).toBe(true)
})

test('a tolerance is kept in both directions, to the cent', () => {
  expect(isWithinTolerance(100.3, 100.2, 0.1)).toBe(true)
  expect(isWithinTolerance(100.2, 100.3, 0.1)).toBe(true)
  expect(isWithinTolerance(100.3, 100.19, 0.1)).toBe(false)
  expect(isWithinTolerance(0.3, 0.1 + 0.2, 0)).toBe(true)
})

test.each([
  [0, 0],
  [15, 0],
  [16, 1],
  [30, 1],
  [31, 2],
  [60, 2],
  [61, 3],
  [9_999, 3],
])('%s days are in division %s', (days, bucket) => expect(ageBucketOf(days)).toBe(bucket))
