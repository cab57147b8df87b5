import { expect, test } from 'vitest'
import { ODD, oddValuesIn } from './api/odd-values.ts'
import { isExhaustive, pairwise } from './support/exhaustive.ts'

const FACTORS = { role: ['a', 'b', 'c', 'd'], place: [1, 2, 3], transport: ['rest', 'trpc'] } as const

test('the chosen rows contain each pair of values, are fewer than all, and are the same each time', () => {
  const rows = pairwise(FACTORS)
  for (const [one, other] of [
    ['role', 'place'],
    ['role', 'transport'],
    ['place', 'transport'],
  ] as const)
    for (const first of FACTORS[one])
      for (const second of FACTORS[other])
        expect(rows.some((row) => row[one] === first && row[other] === second)).toBe(true)
  expect(rows.length).toBeLessThan(4 * 3 * 2)
  expect(pairwise(FACTORS)).toEqual(rows)
})

test('odd input: each field gets a value of each kind, and each value goes into some field', () => {
  const KINDS = [
    ['', ' '],
    [0, -1, 1.5],
  ]
  const fields = ['a', 'b', 'c', 'd']
  const sent = oddValuesIn(fields, KINDS)
  for (const field of fields)
    for (const values of KINDS)
      expect(sent.some((one) => one.field === field && values.includes(one.value as never))).toBe(true)
  expect(new Set(oddValuesIn(['a']).map(({ value }) => value)).size).toBe(ODD.length)
  expect(sent).toHaveLength(isExhaustive ? 4 * 5 : 4 * 2)
})
