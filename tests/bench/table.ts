import { GOALS, type Goal } from './goals.ts'
import { type Figure, readFigures } from './results.ts'

export interface Row {
  ref: string
  work: string
  unit: string
  product: number | null
  reference: number | null
  ratio: number | null
  goal: string
  isMet: boolean | null
  commit: string
  /** Whether the ratio is judged, and in which direction it gets worse. */
  worse: 'lower' | 'higher' | null
}

/** One row for each goal, measured or not, then the figures without a goal if wanted. */
export function goalRows(figures = readFigures(), withAll = false): Row[] {
  const rows = GOALS.map((goal) => rowOf(goal, figures))
  if (!withAll) return rows
  const judged = new Set(GOALS.map(({ figure }) => figure))
  const others = figures.filter(({ name }) => !judged.has(name))
  return [...rows, ...others.map((figure) => ({ ...valuesOf(figure), ...NO_GOAL }))]
}

const NO_GOAL = { ref: '', goal: '', isMet: null, worse: null }
const nameOf = ({ name, size }: Figure) => (size === undefined ? name : `${name}, ${shortly(size)} orders`)
const shortly = (size: number) => (size >= 1_000_000 ? `${size / 1_000_000} M` : `${size / 1_000} k`)
const valuesOf = (figure: Figure) => ({
  work: nameOf(figure),
  unit: figure.unit,
  product: figure.product,
  reference: figure.reference ?? null,
  ratio: figure.ratio ?? null,
  commit: figure.commit,
})

function rowOf(goal: Goal, figures: Figure[]): Row {
  const { ref, figure, on, least, most } = goal
  const found = figures.filter(({ name }) => name === figure).sort((a, b) => (a.size ?? 0) - (b.size ?? 0))
  const large = found.at(-1)
  const bound = least === undefined ? `≤ ${digits(most ?? 0)}` : `≥ ${digits(least)}`
  const worse = least === undefined ? ('higher' as const) : ('lower' as const)
  const judge = (is: number) => (least === undefined ? is <= (most ?? 0) : is >= least)
  const missing = {
    product: null,
    reference: null,
    ratio: null,
    isMet: null,
    worse: null,
    unit: '',
    commit: '',
  }
  if (!large) return { ref, work: figure, ...missing, goal: bound }
  const is = on === 'ratio' ? (large.ratio ?? Number.NaN) : large.product
  const isRatio = on === 'ratio'
  return {
    ref,
    ...valuesOf(large),
    goal: isRatio ? bound : `${bound} ${large.unit}`.trim(),
    isMet: judge(is),
    worse: isRatio ? worse : null,
  }
}

const HEADS = ['goal', 'work', 'unit', 'product', 'reference', 'ratio', 'wanted', 'met', 'commit']
const wordOf = (isMet: boolean | null) => (isMet === null ? '–' : isMet ? 'yes' : 'NO')
const cells = ({ ref, work, unit, product, reference, ratio, goal, isMet, commit }: Row) => [
  ...[ref, work, unit, numberOf(product), numberOf(reference), numberOf(ratio), goal, wordOf(isMet), commit],
]
const numberOf = (value: number | null) => (value === null ? '–' : digits(value))
export const digits = (value: number) =>
  Number.isInteger(value) ? String(value) : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

/** The table as Markdown, aligned, so that it reads the same on a terminal and in docs/benchmarks.md. */
export function markdownOf(rows: Row[]) {
  const text = [HEADS, ...rows.map(cells)]
  const widths = HEADS.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = text
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

/** The works whose goal is missed, as sentences. */
export const missed = (rows: Row[]) =>
  rows
    .filter(({ isMet }) => isMet === false)
    .map(({ ref, work, product, ratio, goal, unit, worse }) => {
      const is = worse === null ? `${numberOf(product)} ${unit}`.trim() : numberOf(ratio)
      return `${ref ? `${ref} ` : ''}${work}: ${is}, wanted ${goal}`
    })
