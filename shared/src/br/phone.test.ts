import { expect, test } from 'vitest'
import { formatPhone, internationalPhone, isPhone } from './phone.ts'

test.each([
  ['(11) 98765-4321', true],
  ['(11)987654321', true],
  ['11987654321', true],
  ['98765-4321', true],
  ['3456-7890', true],
  ['123', false],
  ['(11) 98765-432', false],
])('phone %s is %s (MOD-13)', (typed, expected) => expect(isPhone(typed)).toBe(expected))

test('phones are shown masked, with or without area code (MOD-14, D-52)', () => {
  expect(formatPhone('11987654321')).toBe('(11) 98765-4321')
  expect(formatPhone('1134567890')).toBe('(11) 3456-7890')
  expect(formatPhone('34567890')).toBe('3456-7890')
})

test('a phone with its area code can be dialled from anywhere', () => {
  expect(internationalPhone('(11) 98765-4321')).toBe('+5511987654321')
  expect(internationalPhone('1134567890')).toBe('+551134567890')
  expect(internationalPhone('98765-4321')).toBeNull()
})
