import { expect, test } from 'vitest'
import { keptBackups, momentOf } from '../../server/src/features/system/backup/keep.ts'

const DAY_MS = 86_400_000
const idAt = (at: Date) =>
  `${at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}-a1b2c3`
const nightly = (nights: number, last = new Date('2026-11-27T04:33:00Z')) =>
  Array.from({ length: nights }, (_, n) => idAt(new Date(last.getTime() - n * DAY_MS))).reverse()

test('an id says its moment', () => {
  expect(momentOf('2026-11-27T04-33-05Z-a1b2c3')).toEqual(new Date('2026-11-27T04:33:05Z'))
  expect(momentOf('copia-manual')).toBeNull()
})

test('of a year of nights seven days, four weeks and twelve months are kept, each with its newest', () => {
  const kept = [...keptBackups(nightly(400), { days: 7, weeks: 4, months: 12 })].sort()
  const days = kept.map((id) => id.slice(0, 10))
  expect(days.slice(-7)).toEqual([
    ...['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'],
  ])
  // Sundays are the newest of their weeks; the last of each month its newest.
  expect(days).toEqual(expect.arrayContaining(['2026-11-08', '2026-11-15', '2026-11-22']))
  expect(days).toEqual(expect.arrayContaining(['2026-10-31', '2026-09-30', '2025-12-31']))
  expect(days).not.toContain('2025-11-30')
  expect(kept).toHaveLength(7 + 2 + 11)
})

test('the newest is kept under any rule, and so is an id without a moment', () => {
  const none = { days: 0, weeks: 0, months: 0 }
  expect([...keptBackups(['manual', ...nightly(3)], none)]).toEqual(['manual', nightly(1)[0]])
  expect(keptBackups([], none).size).toBe(0)
})

test('of several backups of one day the newest is kept', () => {
  const ids = [9, 12, 18].map((hour) => idAt(new Date(Date.UTC(2026, 10, 26, hour))))
  expect([...keptBackups([...ids, ...nightly(1)], { days: 2, weeks: 0, months: 0 })].sort()).toEqual([
    ids[2],
    nightly(1)[0],
  ])
})
