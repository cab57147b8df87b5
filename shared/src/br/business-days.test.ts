import { expect, test } from 'vitest'
import { businessDayAfter, isBusinessDay, nationalHolidays } from './business-days.ts'

test('the national holidays of 2026, Good Friday among them', () => {
  expect(nationalHolidays(2026)).toEqual([
    '2026-01-01',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-15',
    '2026-11-20',
    '2026-12-25',
  ])
})

test.each([
  [2000, '2000-04-21'],
  [2024, '2024-03-29'],
  [2025, '2025-04-18'],
  [2038, '2038-04-23'],
])('Good Friday of %i is %s', (year, day) => {
  expect(nationalHolidays(year)).toContain(day)
})

test('20 November is one since 2024', () => {
  expect(isBusinessDay('2023-11-20')).toBe(true)
  expect(isBusinessDay('2024-11-20')).toBe(false)
})

test.each([
  ['a Monday', '2026-11-23', 3, '2026-11-26'],
  ['a Friday: the weekend is not counted', '2026-11-27', 3, '2026-12-02'],
  ['before a holiday on a Friday', '2026-11-18', 3, '2026-11-24'],
  ['a Saturday', '2026-11-28', 3, '2026-12-02'],
  ['before Christmas and New Year', '2026-12-24', 5, '2027-01-04'],
  ['twice the days', '2026-11-23', 6, '2026-12-01'],
])('after %s', (_, from, days, until) => {
  expect(businessDayAfter(from, days)).toBe(until)
})
