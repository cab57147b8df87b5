import { expect, test } from 'vitest'
import { timeBesideSeal } from './timestamp.ts'

test('a stamp goes with a sealing up to a day after it, and before it by what clocks may differ', () => {
  const beside = (at: string, accuracy_seconds: number | null = null) =>
    timeBesideSeal({ at, accuracy_seconds }, '2026-11-24T12:00:00.000Z')
  expect(beside('2026-11-24T12:00:03.000Z')).toBe('with')
  expect(beside('2026-11-25T12:00:00.000Z')).toBe('with')
  expect(beside('2026-11-25T12:00:01.000Z')).toBe('after')
  expect(beside('2026-11-24T11:55:00.000Z')).toBe('with')
  expect(beside('2026-11-24T11:54:59.000Z')).toBe('before')
  expect(beside('2026-11-24T11:54:59.000Z', 1)).toBe('with')
  expect(timeBesideSeal({ at: '2026-11-24T12:00:00.000Z', accuracy_seconds: null }, 'ontem')).toBe('after')
})
