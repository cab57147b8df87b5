import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessKeyProblem, bareAccessKey, formatAccessKey } from './access-key.ts'
import { bareTaxId, formatCnpj, isCnpj } from './tax-id.ts'

const DIGITS = '0123456789'
const SIGNS = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`
/** As the Receita Federal describes it: values are ASCII codes − 48, weights 2 to 9 from the right, 11 − rest. */
function digitOf(body: string) {
  const values = [...body].reverse().map((sign, at) => (sign.charCodeAt(0) - 48) * (2 + (at % 8)))
  const rest = values.reduce((sum, value) => sum + value, 0) % 11
  return String(rest < 2 ? 0 : 11 - rest)
}
const text = (signs: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...signs), minLength: length, maxLength: length })
const cnpjs = text(SIGNS, 12)
  .map((body) => body + digitOf(body))
  .map((body) => body + digitOf(body))
  .filter((cnpj) => !/^(.)\1*$/.test(cnpj))
const keys = fc
  .tuple(text(DIGITS, 6), cnpjs, text(DIGITS, 23))
  .map((parts) => parts.join(''))
  .map((body) => body + digitOf(body))
/** One sign of a text, put in place of another. */
const changes = fc.record({ at: fc.nat(43), sign: fc.constantFrom(...SIGNS) })
const changed = (whole: string, at: number, sign: string) => whole.slice(0, at) + sign + whole.slice(at + 1)

const KEY = '35261112ABC34501DE35550010000012341000012346'

test.each([
  [KEY, null],
  ['35261111222333000181550010000012341000012345', null],
  ['35261112ABC34501DE35550010000012341000012345', /não confere com o dígito verificador/],
  ['35261111222333000181550010000012341000012346', /não confere com o dígito verificador/],
  ['0'.repeat(44), /não confere/],
  [KEY.slice(1), 'A chave da NF tem 44 caracteres, e esta tem 43'],
  ['A'.repeat(44), /letras apenas no CNPJ/],
  ['3526111222333000018A550010000012341000012345', /letras apenas no CNPJ/],
])('the key %s', (key, problem) => {
  const found = accessKeyProblem(key)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatch(problem)
})

test.each([
  formatAccessKey(KEY),
  KEY.toLowerCase(),
  `NFe${KEY}`,
  ` ${KEY}\u200b\n`,
  '35-2611-12.ABC.345/01DE-35-55-001-000.001.234-1-00001234-6',
])('a key written as %s is that key', (written) => expect(bareAccessKey(written)).toBe(KEY))

test('a key and a CNPJ with letters come back from every spelling of theirs', () => {
  fc.assert(
    fc.property(keys, cnpjs, (key, cnpj) => {
      expect(accessKeyProblem(key)).toBeNull()
      for (const written of [key, formatAccessKey(key), formatAccessKey(key).toLowerCase(), `NFe${key}`])
        expect(bareAccessKey(written)).toBe(key)
      expect(isCnpj(cnpj)).toBe(true)
      for (const written of [cnpj, formatCnpj(cnpj), formatCnpj(cnpj).toLowerCase()])
        expect(bareTaxId(written)).toBe(cnpj)
    }),
  )
})

test('of a key with one other sign only what has that very check digit passes', () => {
  fc.assert(
    fc.property(keys, changes, (key, { at, sign }) => {
      const other = changed(key, at, sign)
      const isShaped = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/.test(other)
      expect(accessKeyProblem(other) === null).toBe(isShaped && digitOf(other.slice(0, 43)) === other[43])
      // Every other check digit is refused.
      if (at === 43 && sign !== key[43]) expect(accessKeyProblem(other)).not.toBeNull()
    }),
  )
})

test('of a CNPJ with one other sign only what has those very check digits passes', () => {
  fc.assert(
    fc.property(cnpjs, changes, (cnpj, { at, sign }) => {
      const other = changed(cnpj, at % 14, sign)
      const body = other.slice(0, 12) + digitOf(other.slice(0, 12))
      expect(isCnpj(other)).toBe(body + digitOf(body) === other && !/^(.)\1*$/.test(other))
    }),
  )
})

test.each(['12.ABC.345/01DE-35#', '12.ABC.345/01DE-35ç', '529.982.247-25_', '(529)982.247-25'])(
  'a sign that no mask has is not dropped: %s (D-63)',
  (written) => {
    expect(isCnpj(bareTaxId(written))).toBe(false)
    expect(bareTaxId(written)).toMatch(/[^0-9A-Z]/)
  },
)
