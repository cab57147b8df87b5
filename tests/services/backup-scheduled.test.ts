import { expect, test } from 'vitest'
import { isBackupDue } from '../../server/src/features/system/backup/scheduled.ts'

const HOUR_MS = 3_600_000

test.each([
  ['none was made yet', '2026-11-27T15:33:00Z', null, true],
  ['last night, at noon', '2026-11-27T15:33:00Z', '2026-11-27T04:40:00Z', false],
  ['last night, at night', '2026-11-28T04:33:00Z', '2026-11-27T04:40:00Z', true],
  ['by hand in the evening, at night', '2026-11-28T04:33:00Z', '2026-11-27T22:00:00Z', false],
  ['one was missed, in the morning', '2026-11-28T11:33:00Z', '2026-11-27T04:40:00Z', true],
])('the backup of the night: %s', (_, now, done, expected) => {
  expect(isBackupDue(new Date(now), done === null ? null : new Date(done))).toBe(expected)
})

test('tried every hour, a machine that runs at any one of its hours has a backup a day', () => {
  for (let hour = 0; hour < 24; hour++) {
    let done: Date | null = null
    let made = 0
    for (let day = 0; day < 30; day++) {
      const now = new Date(Date.UTC(2026, 0, 1 + day, hour, 33))
      if (!isBackupDue(now, done)) continue
      done = new Date(now.getTime() + HOUR_MS / 10)
      made++
    }
    expect(made).toBeGreaterThanOrEqual(hour === 4 ? 30 : 15)
  }
})
