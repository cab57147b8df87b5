import { expect, test } from 'vitest'
import { daysBefore, retentionVerdict } from './rules.ts'

const now = new Date('2027-01-31T12:00:00Z')

test('a legal hold takes precedence over any date, and the grace period over deletion (D-47)', () => {
  const old = daysBefore(now, 400)
  expect(retentionVerdict({ is_held: true, retention_since: old }, now)).toBe('held')
  expect(retentionVerdict({ is_held: false, retention_since: old }, now)).toBe('due')
  expect(retentionVerdict({ is_held: false, retention_since: daysBefore(now, 29) }, now)).toBe('grace')
  expect(retentionVerdict({ is_held: false, retention_since: daysBefore(now, 30) }, now)).toBe('due')
})

test('sample retention periods delete nothing until they are confirmed (D-32)', () => {
  expect(retentionVerdict({ is_held: false, retention_since: null }, now)).toBe('sample')
})
