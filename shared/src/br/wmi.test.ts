import { expect, test } from 'vitest'
import { brandCode } from '../brands/schema.ts'
import { brandOfChassis } from './wmi.ts'

test.each([
  ['9BWZZZ377VT004251', 'volkswagen'],
  ['988226116PKX00001', 'jeep'],
  ['936CM6FY2RB000001', 'peugeot'],
  ['lgwef6a5', 'gwm'],
  ['93XXXXXX', null],
  ['9B', null],
  ['', null],
])('the chassis %s points to %s', (chassis, brand) => {
  expect(brandOfChassis(chassis)).toBe(brand)
  if (brand) expect(brandCode.parse(brand)).toBe(brand)
})
