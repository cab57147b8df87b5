import { isExhaustive } from '../support/exhaustive.ts'

const NUL = '\u0000'

/** Values that faulty clients, scanners and attackers send in place of the expected ones, by kind. */
const KINDS: readonly (readonly unknown[])[] = [
  [NUL, `a${NUL}b`, '\ud800', '\u202e\u200b\ufeff', '💥'.repeat(50)],
  ['x'.repeat(20_000), '9'.repeat(400)],
  [
    "'; drop table users; --",
    '" or 1=1 --',
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%00%0d%0aX: y',
    '<script>alert(1)</script>',
    '#{7*7}{{7*7}}',
  ],
  ['1e309', 'NaN', '2026-02-30', 'true'],
  ['', ' ', null, true],
  [0, -1, 1.5, 1e300, 2 ** 53],
  [[], [NUL], [[[[]]]], {}, { toString: 'x' }, { $gt: '' }],
]
export const ODD = KINDS.flat()

/** JSON literals that JSON.stringify never writes. */
export const ODD_LITERALS: readonly string[] = [
  '1e309',
  '-1e309',
  '-0',
  '1E-400',
  '9007199254740993',
  '"\\ud800"',
  '"\\u0000"',
]

/**
 * What to send in which field: every value in every field in the exhaustive run; by default each kind of value in each
 * field, and each value in some field.
 */
export function oddValuesIn(
  fields: readonly string[],
  kinds: readonly (readonly unknown[])[] = KINDS,
): { field: string; value: unknown }[] {
  if (fields.length === 0) return []
  if (isExhaustive) return fields.flatMap((field) => kinds.flat().map((value) => ({ field, value })))
  return kinds.flatMap((values) =>
    Array.from({ length: Math.max(fields.length, values.length) }, (_, turn) => ({
      field: fields[turn % fields.length] as string,
      value: values[turn % values.length],
    })),
  )
}
