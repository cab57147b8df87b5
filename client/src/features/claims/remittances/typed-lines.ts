import { TYPED_MAX } from '@garantia/shared/claims/remittance'
import {
  type LineProblem,
  type RemittanceLine,
  readRemittanceLine,
} from '@garantia/shared/claims/remittance-line'

/** The cells of a typed line, in the order of the columns; texts as they are typed. */
export const TYPED_COLUMNS = ['brand_number', 'os_number', 'chassis', 'amount'] as const
export type TypedColumn = (typeof TYPED_COLUMNS)[number]
export const TYPED_LABEL: Record<TypedColumn, string> = {
  brand_number: 'Nº na marca',
  os_number: 'OS',
  chassis: 'Final do chassi',
  amount: 'Valor pago',
}
export type TypedRow = Record<TypedColumn, string> & { key: number }

const MAPPING = { brand_number: 0, os_number: 1, chassis: 2, amount: 3 } as const
const EMPTY = { brand_number: '', os_number: '', chassis: '', amount: '' }
export const isBlank = (row: TypedRow) => TYPED_COLUMNS.every((column) => row[column].trim() === '')
const nextKey = (rows: readonly TypedRow[]) => Math.max(0, ...rows.map(({ key }) => key)) + 1

/** With a blank line at the end to go on with, unless there are as many as may be sent. */
export function withBlank(rows: readonly TypedRow[]): TypedRow[] {
  const last = rows.at(-1)
  return rows.length < TYPED_MAX && (!last || !isBlank(last))
    ? [...rows, { ...EMPTY, key: nextKey(rows) }]
    : [...rows]
}
export const changedRows = (rows: readonly TypedRow[], index: number, column: TypedColumn, text: string) =>
  withBlank(rows.map((row, at) => (at === index ? { ...row, [column]: text } : row)))
export const withoutRow = (rows: readonly TypedRow[], index: number) =>
  withBlank(rows.filter((_, at) => at !== index))
/** Lines that say something, and one to go on with: their numbers are then those of the report. */
export const compacted = (rows: readonly TypedRow[]) => withBlank(rows.filter((row) => !isBlank(row)))

/** Cells that were copied from a spreadsheet fill the columns from here on, a line each; what is beyond the last column or line is left out. */
export function pastedRows(rows: readonly TypedRow[], index: number, column: TypedColumn, text: string) {
  const from = TYPED_COLUMNS.indexOf(column)
  const pasted = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
  let all = [...rows]
  for (const [offset, cells] of pasted.entries()) {
    const at = index + offset
    if (at >= TYPED_MAX) break
    const row = all[at] ?? { ...EMPTY, key: nextKey(all) }
    const filled = TYPED_COLUMNS.slice(from).flatMap((name, n) => {
      const cell = cells[n]
      return cell === undefined ? [] : [[name, cell.trim()] as const]
    })
    all = [...all.slice(0, at), { ...row, ...Object.fromEntries(filled) }, ...all.slice(at + 1)]
  }
  return withBlank(all)
}

/** The lines as those of a file are read, and what is wrong with the others. */
export function readTyped(rows: readonly TypedRow[]) {
  const read = rows
    .filter((row) => !isBlank(row))
    .map((row, index) =>
      readRemittanceLine({ line: index + 1, cells: TYPED_COLUMNS.map((column) => row[column]) }, MAPPING),
    )
  return {
    lines: read.filter((line): line is RemittanceLine => 'amount' in line),
    problems: read.filter((line): line is LineProblem => 'message' in line),
  }
}

/**
 * Where Enter goes: from a number to the amount, since it is enough to find a claim; from the OS to the chassis, which
 * it needs; from the amount to the next line.
 */
export function afterEnter(row: TypedRow, column: TypedColumn): { column: TypedColumn; isNext: boolean } {
  if (column === 'amount') return { column: 'brand_number', isNext: true }
  if (column === 'brand_number' && row.brand_number.trim() === '')
    return { column: 'os_number', isNext: false }
  return { column: column === 'os_number' ? 'chassis' : 'amount', isNext: false }
}
