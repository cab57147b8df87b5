import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IMPORT_LIMITS, type SheetRows, TOO_MANY_COLUMNS } from '@garantia/shared/orders/import'
import { unzipSync } from 'fflate'
import { streamCsvRows } from 'hucre/csv'
import { type CellValue, readXlsx } from 'hucre/xlsx'
import { CannotConvert, sheetDamaged, sheetTooLarge } from './refusal.ts'
import type { Run, Source } from './types.ts'

/**
 * Bytes that the parts of a workbook may unpack to, by their own account; the process has a limit of its own.
 */
const UNPACKED_BYTES = 150_000_000

/** With the headings one row more than is allowed, so that a longer sheet is refused and not cut. */
const MOST_ROWS = IMPORT_LIMITS.lines + 2

/**
 * Writes the rows of a CSV or of a workbook's first sheet as JSON into `run.dir`, up to one more than an import may
 * have. Throws CannotConvert when it is damaged, unpacks to more than 150 MB, or has more text or columns than an
 * import may.
 */
export async function readSheet(source: Source, run: Run) {
  const content = await readFile(source.path)
  // Row by row: hucre builds a text by appending characters, each of which takes 32 bytes until it is trimmed.
  const rows = rowsOf(isZip(content) ? await rowsOfBook(content) : streamCsvRows(decoded(content)))
  const path = join(run.dir, 'sheet.json')
  await writeFile(path, JSON.stringify(rows))
  return { path }
}

const isZip = (content: Buffer) => content.subarray(0, 2).toString('latin1') === 'PK'

async function rowsOfBook(content: Buffer) {
  if (unpackedBytes(content) > UNPACKED_BYTES) throw sheetTooLarge(UNPACKED_BYTES)
  const book = await readXlsx(content, { sheets: [0], maxRows: MOST_ROWS }).catch((error: unknown) => {
    throw sheetDamaged(error)
  })
  return book.sheets[0]?.rows ?? []
}

/** UTF-8, or else Windows-1252, which older systems still write. */
function decoded(content: Buffer) {
  if (content.includes(0)) throw sheetDamaged()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

function unpackedBytes(bytes: Uint8Array) {
  let sum = 0
  try {
    unzipSync(bytes, {
      filter({ originalSize }) {
        sum += originalSize
        return false
      },
    })
  } catch (error) {
    throw sheetDamaged(error)
  }
  return sum
}

/**
 * Rows with something in them, as the texts that a person would see, numbered from 1 as in the sheet. A text that many
 * cells share is stored once in a workbook, and written out for each of them here.
 */
function rowsOf(sheet: Iterable<readonly CellValue[]>): SheetRows {
  const rows: SheetRows = []
  let size = 0
  let line = 0
  for (const values of sheet) {
    line++
    const cells = withoutEnd(values.map(textOf))
    if (cells.length > IMPORT_LIMITS.columns) throw new CannotConvert(TOO_MANY_COLUMNS)
    size += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (size > IMPORT_LIMITS.text) throw sheetTooLarge(IMPORT_LIMITS.text)
    if (cells.length > 0) rows.push({ line, cells })
    if (rows.length === MOST_ROWS) break
  }
  return rows
}

/** Sheets are as wide as their widest row. */
const withoutEnd = (cells: string[]) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)

const two = (part: number) => String(part).padStart(2, '0')
/** Numbers with a decimal comma, dates as dd/mm/aaaa: as they are written in a CSV of the same system. */
function textOf(cell: CellValue) {
  if (cell === null || cell === undefined) return ''
  // A spreadsheet has no time zone; hucre gives its dates as if they were UTC.
  if (cell instanceof Date)
    return `${two(cell.getUTCDate())}/${two(cell.getUTCMonth() + 1)}/${cell.getUTCFullYear()}`
  return typeof cell === 'number' ? String(cell).replace('.', ',') : String(cell).trim()
}
