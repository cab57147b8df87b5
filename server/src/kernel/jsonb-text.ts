const utf8 = new TextEncoder()
const MANTISSA = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** PostgreSQL never writes an exponent. */
function digitsOf(number: string) {
  const parts = MANTISSA.exec(number)
  if (!parts) return number
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}

/** Of keys PostgreSQL sorts the shorter first, then by bytes. */
function byLengthThenBytes(one: string, other: string) {
  const [a, b] = [utf8.encode(one), utf8.encode(other)]
  return a.length - b.length || Buffer.compare(a, b)
}
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)
function byAscii(one: string, other: string) {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : 1
}

/**
 * The text that PostgreSQL makes of a `jsonb` with this value (`value::text`), which is hashed. `undefined` is left out,
 * as by `JSON.stringify`.
 */
export function jsonbText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return Number.isFinite(value) ? digitsOf(JSON.stringify(value)) : 'null'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (isRaw(value)) return JSON.stringify(value)
  const given = value as Record<string, unknown>
  const keys = Object.keys(given).filter((key) => given[key] !== undefined)
  keys.sort(keys.every(isAscii) ? byAscii : byLengthThenBytes)
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${jsonbText(given[key])}`).join(', ')}}`
}

/** Not in TypeScript's library yet (ECMAScript 2026, Node 21). */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}
const isRaw = (value: object) => isRawJSON(value)
const parseExactly = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** Reads the text of a `jsonb` so that `jsonbText` gives it back, also where a number has more digits than a double. */
export function parseJsonb(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (jsonbText(value) === text) return value
  return parseExactly(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
  )
}
