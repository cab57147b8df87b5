import { describe, expect, test } from 'vitest'
import {
  barePlate,
  correctedChassis,
  formatPlate,
  isChassis,
  isTypedPlate,
  maskChassis,
  otherPlatePattern,
} from './vehicle.ts'

describe('plates (VAL-7, VAL-8, D-15)', () => {
  test.each([
    ['ABC-1234', true],
    ['ABC1234', true],
    ['abc1d23', true],
    ['ABC-1D23', false],
    ['AB-1234', false],
    ['ABC12345', false],
  ])('%s is %s', (typed, expected) => expect(isTypedPlate(typed)).toBe(expected))

  test('are stored bare and shown with the hyphen of the old pattern', () => {
    expect(barePlate('abc-1234')).toBe('ABC1234')
    expect(formatPlate('ABC1234')).toBe('ABC-1234')
    expect(formatPlate('ABC1D23')).toBe('ABC1D23')
  })

  test('the old and the Mercosul form of one plate convert into each other', () => {
    expect(otherPlatePattern('ABC1234')).toBe('ABC1C34')
    expect(otherPlatePattern('ABC1C34')).toBe('ABC1234')
    expect(otherPlatePattern('ABC1Z34')).toBeNull()
  })
})

test('a chassis has 17 capitals or digits and is masked except for its last 6 (VAL-9, OSD-9)', () => {
  expect(isChassis('9BGRD08X04G117974')).toBe(true)
  expect(isChassis('9bgrd08x04g117974')).toBe(false)
  expect(isChassis('9BGRD08X04G11797')).toBe(false)
  expect(maskChassis('9BGRD08X04G117974')).toBe('•••••••••••117974')
})

test('I, O and Q in a chassis are corrected to the digits they were misread from (D-15)', () => {
  expect(correctedChassis('9BGRDO8XO4GII7974')).toBe('9BGRD08X04G117974')
  expect(correctedChassis('9bgrd08x04q117974')).toBe('9BGRD08X040117974')
  expect(correctedChassis('9BGRD08X04G117974')).toBeNull()
})
