import { expect, test } from 'vitest'
import { regressions } from './bench/kept.ts'
import type { Figure } from './bench/results.ts'
import { goalRows, markdownOf, missed } from './bench/table.ts'

const figure = (name: string, more: Partial<Figure> = {}): Figure => ({
  name,
  unit: 'ms',
  product: 1,
  commit: 'abc1234',
  ...more,
})
const LIST = 'list, page 1, REST'
const rowOf = (work: string, figures: Figure[]) => goalRows(figures).find((row) => row.work.startsWith(work))

test('a ratio is judged at the largest number of orders that was measured (goal P1)', () => {
  const figures = [figure(LIST, { size: 1_000_000, ratio: 0.4 }), figure(LIST, { size: 10_000, ratio: 0.9 })]
  expect(rowOf(`${LIST}, 1 M orders`, figures)).toMatchObject({ ratio: 0.4, goal: '≥ 0.60', isMet: false })
  expect(missed(goalRows(figures))).toEqual([`P1 ${LIST}, 1 M orders: 0.40, wanted ≥ 0.60`])
})

test('growth is a ratio that may be too high (goal P3)', () => {
  const grown = (ratio: number) => [figure(`${LIST}: growth of CPU`, { size: 1_000_000, ratio })]
  expect(rowOf(`${LIST}: growth`, grown(1.2))).toMatchObject({ isMet: true })
  expect(rowOf(`${LIST}: growth`, grown(1.4))).toMatchObject({ goal: '≤ 1.30', isMet: false })
})

test('a value is judged by itself, and what was not measured by nothing', () => {
  expect(rowOf('queue, p99', [figure('queue, p99', { product: 21 })])).toMatchObject({ isMet: false })
  expect(rowOf('queue, p99', [])).toMatchObject({ isMet: null })
  expect(missed(goalRows([]))).toEqual([])
})

test('a ratio that is a third worse than the one kept last is named, and no older release counts', () => {
  const rows = (ratio: number) => goalRows([figure(LIST, { size: 1_000_000, ratio })])
  const page = `# Benchmarks\n\n<!-- releases -->\n\n## 0.2.0\n\n${markdownOf(rows(0.9))}\n\n## 0.1.0\n\n${markdownOf(rows(0.3))}\n`
  expect(regressions(rows(0.61), page)).toEqual({ worse: [], missing: [] })
  const found = `${LIST}, 1 M orders: 0.59, last kept 0.90`
  expect(regressions(rows(0.59), page)).toEqual({ worse: [found], missing: [] })
  expect(regressions([], page)).toEqual({ worse: [], missing: [`${LIST}, 1 M orders: last kept 0.90`] })
  expect(regressions(rows(0.1), '# Benchmarks\n\n<!-- releases -->\n')).toEqual({ worse: [], missing: [] })
})
