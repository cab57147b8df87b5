import { expect, test } from 'vitest'
import {
  type FoundText,
  readingOf,
  type StoredReading,
  searchedTexts,
  suggestionOf,
  vehicleTextsOf,
} from './reading.ts'

const BOX = { left: 0.4, top: 0.4, width: 0.2, height: 0.1 }
const foundPlate = (text: string, more: Partial<FoundText> = {}): FoundText => ({
  kind: 'plate',
  text,
  score: -0.1,
  margin: 5,
  box: BOX,
  ...more,
})
const stored = (...found: FoundText[]): StoredReading => ({
  kind: found[0]?.kind ?? 'plate',
  rotation: 0,
  found,
  engine: 'test',
})
const PLATE_PHOTO = { evidence_category: 'placa', rotation: 0 } as const
const verdictOf = (vehicle_plate: string | null, ...found: FoundText[]) => {
  const reading = readingOf(stored(...found), PLATE_PHOTO, { vehicle_plate, vehicle_chassis: null })
  return reading && [reading.verdict, reading.text]
}

test('the plate of the order that was read in any place confirms, and only the very same', () => {
  expect(verdictOf('ABC1D23', foundPlate('ABC1D23', { score: -2.9, margin: 0.5 }))).toEqual([
    'match',
    'ABC1D23',
  ])
  expect(verdictOf('ABC1D23', foundPlate('ABC1D23', { margin: 0.4 }))).toEqual(['unreadable', null])
  expect(verdictOf('ABC1D23', foundPlate('XYZ9876'), foundPlate('ABC1D23'))).toEqual(['match', 'ABC1D23'])
  for (const other of ['ABC1D28', 'A8C1D23', 'ABC1O23', 'ABCID23'])
    expect(verdictOf(other, foundPlate('ABC1D23'))?.[0]).not.toBe('match')
})

test('another plate is told only when it was read surely', () => {
  expect(verdictOf('ABC1D28', foundPlate('ABC1D23'))).toEqual(['mismatch', 'ABC1D23'])
  expect(verdictOf('ABC1D28', foundPlate('ABC1D23', { score: -1.6 }))).toEqual(['unreadable', null])
  expect(verdictOf('ABC1D28', foundPlate('ABC1D23', { margin: 1.9 }))).toEqual(['unreadable', null])
  expect(verdictOf('ABC1D28')).toEqual(['unreadable', null])
})

test('the same plate in the other pattern, or with a character of the same shape, is none that contradicts', () => {
  expect(verdictOf('ABC1323', foundPlate('ABC1D23'))).toEqual(['unreadable', null])
  expect(verdictOf('HGT9O06', foundPlate('HGT9006'))).toEqual(['unreadable', null])
  expect(verdictOf('HGT9106', foundPlate('HGT9I06'))).toEqual(['unreadable', null])
  expect(verdictOf('HGT0I06', foundPlate('HGT9I06'))).toEqual(['mismatch', 'HGT9I06'])
  expect(verdictOf('QPQ6575', foundPlate('OPO6575'))).toEqual(['unreadable', null])
  expect(verdictOf('OPO6575', foundPlate('QPQ6575'))).toEqual(['unreadable', null])
  expect(verdictOf('DPO6575', foundPlate('OPO6575'))).toEqual(['mismatch', 'OPO6575'])
})

test('an empty field gets a suggestion, a mileage and a code are never more than that', () => {
  expect(verdictOf(null, foundPlate('ABC1D23'))).toEqual(['suggestion', 'ABC1D23'])
  expect(verdictOf(null, foundPlate('ABC1D23', { margin: 1 }))).toEqual(['unreadable', null])
  for (const [kind, evidence_category] of [
    ['odometer', 'odometro'],
    ['code', 'pecas'],
  ] as const) {
    const reading = readingOf(
      stored(foundPlate('48250', { kind })),
      { evidence_category, rotation: 0 },
      { vehicle_plate: '48250', vehicle_chassis: '48250' },
    )
    expect(reading).toMatchObject({ kind, verdict: 'suggestion', text: '48250', box: BOX })
  }
})

test('a chassis number typed with letters that none has is compared as it is meant (D-15)', () => {
  const read = stored(foundPlate('9BWZZZ377VT004251', { kind: 'vin' }))
  const of = (vehicle_chassis: string) =>
    readingOf(read, { evidence_category: 'chassi', rotation: 0 }, { vehicle_plate: null, vehicle_chassis })
      ?.verdict
  expect(of('9BWZZZ377VTOO425I')).toBe('match')
  expect(of('9BWZZZ377VT004257')).toBe('mismatch')
})

test('a photo that was turned or has another category since is unread', () => {
  const vehicle = { vehicle_plate: 'ABC1D23', vehicle_chassis: null }
  const read = stored(foundPlate('ABC1D23'))
  expect(readingOf(read, { ...PLATE_PHOTO, rotation: 90 }, vehicle)).toBeNull()
  expect(readingOf(read, { evidence_category: 'chassi', rotation: 0 }, vehicle)).toBeNull()
  expect(readingOf(read, { evidence_category: 'defeito', rotation: 0 }, vehicle)).toBeNull()
  expect(readingOf(null, PLATE_PHOTO, vehicle)).toBeNull()
})

test('plates, chassis numbers and codes are looked for in other orders, mileages are not', () => {
  const found = [foundPlate('ABC1D23'), foundPlate('ABC1D23'), foundPlate('48250', { kind: 'odometer' })]
  expect(searchedTexts({ kind: 'plate', found })).toEqual(['plate:ABC1D23'])
  expect(searchedTexts({ kind: null, found })).toEqual([])
})

test('what is surely read in a photo without a category tells it, unless it is of several kinds', () => {
  const NONE = { evidence_category: null, rotation: 0 } as const
  const suggested = (...found: FoundText[]) => suggestionOf({ ...stored(...found), kind: null }, NONE)
  const chassis = foundPlate('9BWZZZ377VT004251', { kind: 'vin' })
  const code = foundPlate('04E 115 561 H', { kind: 'code', score: 0, margin: 0 })
  expect(suggested(foundPlate('ABC1D23'))).toEqual({ category: 'placa', kind: 'plate', text: 'ABC1D23' })
  expect(suggested(foundPlate('ABC1D23', { margin: 1 }), chassis)).toMatchObject({ category: 'chassi' })
  expect(suggested(code)).toMatchObject({ category: 'pecas', text: '04E 115 561 H' })
  // A certificate of registration shows both.
  expect(suggested(foundPlate('ABC1D23'), chassis)).toBeNull()
  expect(suggested(foundPlate('ABC1D23', { score: -2 }))).toBeNull()
  expect(suggested()).toBeNull()
  const read = stored(foundPlate('ABC1D23'))
  expect(suggestionOf({ ...read, kind: null }, { ...NONE, rotation: 90 })).toBeNull()
  expect(suggestionOf({ ...read, kind: null }, PLATE_PHOTO)).toBeNull()
  expect(suggestionOf(read, NONE)).toBeNull()
  expect(suggestionOf(null, NONE)).toBeNull()
  expect(
    readingOf({ ...read, kind: null }, PLATE_PHOTO, { vehicle_plate: null, vehicle_chassis: null }),
  ).toBeNull()
})

test('a photo before its order offers what is surely read, and a mileage only where nothing else is', () => {
  const mileage = foundPlate('48250', { kind: 'odometer', score: -0.5, margin: 0 })
  const vin = foundPlate('9BWZZZ377VT004251', { kind: 'vin' })
  expect(vehicleTextsOf([foundPlate('ABC1D23'), vin, mileage])).toEqual([
    { kind: 'plate', text: 'ABC1D23' },
    { kind: 'vin', text: '9BWZZZ377VT004251' },
  ])
  expect(vehicleTextsOf([foundPlate('ABC1D23', { margin: 1 }), mileage])).toEqual([])
  expect(vehicleTextsOf([mileage])).toEqual([{ kind: 'odometer', text: '48250' }])
  expect(vehicleTextsOf([foundPlate('7891234567895', { kind: 'code' })])).toEqual([])
  expect(vehicleTextsOf([])).toEqual([])
})
