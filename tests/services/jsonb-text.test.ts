import { jsonbText, parseJsonb } from '@garantia/server/kernel'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

/** PostgreSQL has no text with a zero byte. */
const text = fc.string({ unit: 'grapheme-composite' }).map((one) => one.replaceAll('\0', ''))
const value = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
  .filter((one) => !JSON.stringify(one).includes('\\u0000'))
const ofPostgres = async (texts: readonly string[]) => {
  const { rows } = await sql<{ made: string }>`select one::jsonb::text as made
    from unnest(${texts}::text[]) with ordinality as given (one, n) order by n`.execute(db)
  return rows.map(({ made }) => made)
}

test('the text of any value is the one that PostgreSQL makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(value, text, fc.double({ noNaN: true, noDefaultInfinity: true }))),
      async (values) => {
        expect(values.map(jsonbText)).toEqual(await ofPostgres(values.map((one) => JSON.stringify(one))))
      },
    ),
    { numRuns: 100 },
  )
})

test.each([
  [1e21, 1e-7, 1.5e300, 5e-324, -0, 0.1, 123456.789, -1e-10, 2 ** 53],
  { b: 1, aa: 2, a: 3, ção: 4, zz: 5, é: 6, Z: 7, '': 8, 𝒳: 9, ￜ: 10 },
  ['\b\f\n\r\t"\\/\u0001\u001f\u007f\u2028«ç»😀'],
  { a: undefined, b: [undefined, null, true] },
])('%j', async (one) => {
  expect([jsonbText(one)]).toEqual(await ofPostgres([JSON.stringify(one)]))
})

test('a text is read so that its digits stay', async () => {
  const texts = [
    '{"a": 1.00, "b": 12345678901234567890.123}',
    '[0.10, {"x": "1.0"}]',
    '{"a": 1}',
    'null',
    '"x"',
  ]
  expect(await ofPostgres(texts)).toEqual(texts)
  expect(texts.map((one) => jsonbText(parseJsonb(one)))).toEqual(texts)
})
