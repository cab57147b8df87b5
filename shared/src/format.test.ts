import { expect, test } from 'vitest'
import {
  brl,
  bytes,
  calendarDay,
  calendarDaysBetween,
  date,
  dateTime,
  duration,
  percentSaved,
  timeOfDay,
} from './format.ts'

test('money, dates and sizes read as in Brazil (GEN-5, GEN-6, GEN-7)', () => {
  expect(brl(1234.5)).toBe('R$ 1.234,50')
  expect(date('2026-11-21T02:00:00Z')).toBe('20/11/2026')
  expect(timeOfDay('2026-11-21T02:05:00Z')).toBe('23:05')
  expect(dateTime('2026-11-21T02:05:00Z')).toBe('20/11/2026, 23:05')
  expect([0, 999, 1000, 999_949, 999_950, 1_536_000, 26_000_000_000].map(bytes)).toEqual([
    '0 B',
    '999 B',
    '1 KB',
    '999,9 KB',
    '1 MB',
    '1,5 MB',
    '26 GB',
  ])
})

test('days are counted on the calendar of São Paulo (D-13)', () => {
  expect(calendarDay(new Date('2026-11-21T02:59:00Z'))).toBe('20261120')
  expect(calendarDaysBetween(new Date('2026-11-21T02:59:00Z'), new Date('2026-11-21T03:01:00Z'))).toBe(1)
})

test('durations and savings have a short form', () => {
  expect([59, 60, 250].map(duration)).toEqual(['59s', '1m', '4m10s'])
  expect(percentSaved(1000, 400)).toBe(60)
  expect(percentSaved(400, 1000)).toBe(0)
})
