import { expect, test } from 'vitest'
import { brandBars, dayBars } from './bars.ts'
import { countsOf, durationText, movementOf, resultsOf } from './figures.ts'
import { SAMPLE } from './sample-metrics.ts'

const FIGURES = { ...SAMPLE, total_revenue: 1234.5, average_order_value: 0.1, monthly_growth: -3.25 }
const shownAs = (label: string) =>
  [...countsOf(FIGURES), ...resultsOf(FIGURES), ...movementOf(FIGURES)].find((one) => one.label === label)
    ?.value

test('figures are formatted for pt-BR (DASH-3, DASH-4, DASH-5, GEN-5)', () => {
  expect(shownAs('Receita')).toBe('R$ 1.234,50')
  expect(shownAs('Ticket médio')).toBe('R$ 0,10')
  expect(shownAs('Taxa de conclusão')).toBe('67,2%')
  expect(shownAs('Crescimento mensal')).toMatch(/^-3,[23]%$/)
  expect(shownAs('Tempo médio de resolução')).toBe('3,2 dias')
  expect(durationText(0)).toBe('0 h')
  expect(durationText(47.94)).toBe('47,9 h')
})

test('the parts of the total add up to it (DASH-1)', () => {
  const [total, ...parts] = countsOf(SAMPLE).map(({ value }) => Number(value))
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
})

test('every figure has an explanation (D-26)', () => {
  for (const { meaning } of [...countsOf(SAMPLE), ...resultsOf(SAMPLE), ...movementOf(SAMPLE)])
    expect(meaning).toMatch(/^\p{Lu}.{15,}\.$/u)
})

test('beyond eight brands the chart sums the smallest and the table lists all (DASH-2)', () => {
  const orders_by_brand = Object.fromEntries([...'ABCDEFGHIJ'].map((name, i) => [name, 20 - i]))
  const { all, shown } = brandBars(orders_by_brand)
  expect(all).toHaveLength(10)
  expect(shown).toHaveLength(8)
  expect(shown.at(-1)).toEqual({ label: 'Outras (3)', value: 13 + 12 + 11 })
  expect(brandBars({ Fiat: 1, Honda: 3, Audi: 1 }).shown.map(({ label }) => label)).toEqual([
    'Honda',
    'Audi',
    'Fiat',
  ])
  expect(brandBars({}).shown).toEqual([])
})

test('a day label has its weekday', () => {
  expect(dayBars([{ day: '2026-11-21', orders: 4 }])).toEqual([{ label: 'sáb 21/11', value: 4 }])
})
