import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, amountOf, centsOf, positiveAmount, splitCents, sumOf } from './money.ts'

test('a cent over three lines goes to one of them', () => {
  expect(splitCents(1, [100, 100, 100])).toEqual([1, 0, 0])
  expect(splitCents(1, [1, 5, 1])).toEqual([0, 1, 0])
  expect(splitCents(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(splitCents(5, [0, 0])).toEqual([5, 0])
})

const cents = fc.integer({ min: 0, max: 99_999_999_999 })
test('the parts always add up, none is negative, and none is a cent or more away from its share', () => {
  fc.assert(
    fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 200 }), (total, weights) => {
      const parts = splitCents(total, weights)
      const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n)
      expect(parts.reduce((all, part) => all + part, 0)).toBe(total)
      for (const [index, part] of parts.entries()) {
        expect(part).toBeGreaterThanOrEqual(0)
        if (sum === 0n) continue
        const off = BigInt(part) * sum - BigInt(total) * BigInt(weights[index] ?? 0)
        expect(off < sum && off > -sum).toBe(true)
      }
    }),
  )
})

test('no line gets more than its weight while the weights suffice', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 50 }), fc.nat(), (weights, seed) => {
      const sum = weights.reduce((all, weight) => all + weight, 0)
      const parts = splitCents(sum === 0 ? 0 : seed % (sum + 1), weights)
      for (const [index, part] of parts.entries()) expect(part).toBeLessThanOrEqual(weights[index] ?? 0)
    }),
  )
})

test('amounts become cents and back without loss, and sums do not drift', () => {
  fc.assert(
    fc.property(cents, (one) => {
      expect(centsOf(amountOf(one))).toBe(one)
    }),
  )
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 500 }), (all) => {
      expect(centsOf(sumOf(all.map(amountOf)))).toBe(all.reduce((sum, one) => sum + one, 0))
    }),
  )
  expect(sumOf([0.1, 0.2])).toBe(0.3)
  expect(sumOf(Array.from({ length: 1_000 }, () => 0.01))).toBe(10)
})

test.each([
  [-0.01, false],
  [0, true],
  [0.001, false],
  [0.01, true],
  [999_999_999.99, true],
  [1_000_000_000, false],
])('%s is an amount: %s', (value, isOne) => expect(amount.safeParse(value).success).toBe(isOne))

test('what is claimed is at least a cent', () => {
  expect(positiveAmount.safeParse(0).success).toBe(false)
  expect(positiveAmount.safeParse(0.01).success).toBe(true)
})
