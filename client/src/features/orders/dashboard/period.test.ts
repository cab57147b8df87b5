import { expect, test } from 'vitest'
import { dashboardSearch } from './dashboard-search.ts'
import { filterOf, isAllTime, lastDays, PRESETS, periodText, presetOf } from './period.ts'
import { periodForm } from './period-form-schema.ts'

/** 22:30 in São Paulo is already the next day in UTC. */
const NIGHT = new Date('2026-03-02T01:30:00Z')
const preset = (id: string, now: Date) => PRESETS.find((one) => one.id === id)?.of(now)

test('presets count calendar days in São Paulo, today included (DASH-2, D-13)', () => {
  expect(preset('today', NIGHT)).toEqual({ start_date: '2026-03-01', end_date: '2026-03-01' })
  expect(preset('week', NIGHT)).toEqual({ start_date: '2026-02-23', end_date: '2026-03-01' })
  expect(lastDays(30, NIGHT)).toEqual({ start_date: '2026-01-31', end_date: '2026-03-01' })
  expect(preset('month', NIGHT)).toEqual({ start_date: '2026-03-01', end_date: '2026-03-01' })
  expect(isAllTime(preset('all', NIGHT) ?? { start_date: 'x', end_date: 'x' })).toBe(true)
})

test('a period in the URL is recognised as its preset', () => {
  for (const { id, of } of PRESETS.filter((one) => one.id !== 'month'))
    expect(presetOf(of(NIGHT), NIGHT)?.id).toBe(id)
  expect(presetOf({ start_date: '2026-01-05', end_date: '' }, NIGHT)).toBeUndefined()
})

test('an invalid period in the URL falls back to all time, and an open end is omitted from the query (API-28)', () => {
  expect(dashboardSearch.parse({})).toEqual({ start_date: '', end_date: '' })
  expect(dashboardSearch.parse({ start_date: '31/01/2026', end_date: '2026-02-30' })).toEqual({
    start_date: '',
    end_date: '',
  })
  expect(dashboardSearch.parse({ start_date: '2026-02-02', end_date: '2026-02-01' })).toEqual({
    start_date: '',
    end_date: '',
  })
  expect(filterOf({ start_date: '2026-02-02', end_date: '' })).toEqual({ start_date: '2026-02-02' })
})

test('typed days are in Brazilian format and in order (GEN-6)', () => {
  const issues = (start_date: string, end_date: string) =>
    periodForm
      .safeParse({ start_date, end_date })
      .error?.issues.map(({ path, message }) => `${path}: ${message}`)
  expect(periodForm.parse({ start_date: '01/02/2026', end_date: '' })).toEqual({ start_date: '2026-02-01' })
  expect(issues('30/02/2026', '')).toEqual(['start_date: Deve ser uma data (dd/mm/aaaa)'])
  expect(issues('1/2', '')).toEqual(['start_date: Deve ser uma data (dd/mm/aaaa)'])
  expect(issues('02/02/2026', '01/02/2026')).toEqual([
    'end_date: O fim do período não pode vir antes do início',
  ])
})

test('text of a period', () => {
  const text = (start_date: string, end_date: string) => periodText({ start_date, end_date })
  expect(text('', '')).toBe('Todo o período')
  expect(text('2026-11-21', '2026-11-21')).toBe('21/11/2026')
  expect(text('2026-11-01', '2026-11-21')).toBe('de 01/11/2026 a 21/11/2026')
  expect(text('2026-11-01', '')).toBe('desde 01/11/2026')
  expect(text('', '2026-11-21')).toBe('até 21/11/2026')
})
