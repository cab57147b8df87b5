import { expect, test } from 'vitest'
import { tiltOf } from './level.ts'

test.each([
  ['upright', { x: 0, y: 9.81 }, 0],
  ['turned to the right by 5°', { x: 0.855, y: 9.773 }, 5],
  ['on its left side', { x: 9.81, y: 0 }, 0],
  ['on its right side', { x: -9.81, y: 0 }, 0],
])('a phone that is %s', (_, gravity, tilt) => {
  expect(tiltOf(gravity)).toBeCloseTo(tilt, 1)
})

test('a phone that lies flat has no horizon, and neither has one without a sensor', () => {
  expect(tiltOf({ x: 0.5, y: 1 })).toBeNull()
  expect(tiltOf({ x: null, y: null })).toBeNull()
})
