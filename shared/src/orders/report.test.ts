import { expect, test } from 'vitest'
import { monthsAfter, monthsBetween, monthText, reportPeriod } from './report.ts'

test('months are counted over the end of a year, both ways', () => {
  expect(monthsAfter('2025-11', 3)).toBe('2026-02')
  expect(monthsAfter('2026-01', -1)).toBe('2025-12')
  expect(monthsBetween('2025-12', '2026-02')).toEqual(['2025-12', '2026-01', '2026-02'])
  expect(monthsBetween('2026-02', '2026-02')).toEqual(['2026-02'])
  expect(monthText('2026-03')).toBe('março de 2026')
})

test('a report has one to twelve months, and no month that does not exist', () => {
  const judge = (from: string, until: string) =>
    reportPeriod.safeParse({ from, until }).error?.issues.map(({ message }) => message)
  expect(judge('2025-12', '2026-11')).toBeUndefined()
  expect(judge('2025-11', '2026-11')).toEqual(['Escolha no máximo 12 meses'])
  expect(judge('2026-02', '2026-01')).toEqual(['O fim do período não pode vir antes do início'])
  expect(judge('2026-13', '2026-12')).toEqual(['Deve ser um mês (aaaa-mm)'])
  expect(judge('0000-01', '0000-01')).toHaveLength(2)
})
