import { expect, test } from 'vitest'
import { totalOf } from './total.ts'

test.each([
  [1234.35, 0.1, 1234.45],
  [0.1, 0.2, 0.3],
  [null, 10, 10],
  [undefined, undefined, 0],
  [999_999_999.99, 0.01, 1_000_000_000],
])('%s + %s = %s to the cent (VAL-13)', (service, parts, total) =>
  expect(totalOf(service, parts)).toBe(total),
)
