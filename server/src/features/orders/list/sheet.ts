import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { escapeWideFormula } from '@garantia/shared/csv'
import { tooMany } from '@garantia/shared/errors'
import type { ExportFormat } from '@garantia/shared/orders/bulk'
import type { Ctx } from '../../../kernel/context.ts'

export const EXPORT_MIME = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export type Cell = string | number | Date | null
export interface SheetColumn {
  header: string
  width: number
  /** Format of numbers and dates; everything else is text, so that leading zeros are kept. */
  numberFormat?: 'money' | 'datetime'
}
interface Column<Row> extends SheetColumn {
  of: (row: Row) => Cell
}

/**
 * Exports at once in one process: of one person, so that nobody keeps the others from theirs, and of all. Each
 * uses a database connection as long as its client reads, and slow clients must not take them all.
 */
const MOST_OF_ONE = 2
const MOST_OF_ALL = 6
const TRY_AGAIN_SECONDS = 30
/** Running exports by person; -1 is the system. */
const active = new Map<number, number>()

/**
 * Counts an export that begins, of orders or of what is summed from them, and returns what ends it. 429 when two of
 * the person or six of all are running.
 */
export function beginExport({ actor }: Ctx) {
  const who = actor.kind === 'user' ? actor.id : -1
  const own = active.get(who) ?? 0
  const all = [...active.values()].reduce((sum, count) => sum + count, 0)
  if (own >= MOST_OF_ONE || all >= MOST_OF_ALL) throw tooMany(TRY_AGAIN_SECONDS)
  active.set(who, own + 1)
  return () => {
    const left = (active.get(who) ?? 1) - 1
    if (left > 0) active.set(who, left)
    else active.delete(who)
  }
}

interface Sheet<Row> {
  format: ExportFormat
  /** Of the sheet in an XLSX. */
  name: string
  columns: readonly Column<Row>[]
  rows: AsyncIterable<Row>
}

/**
 * Rows as a CSV or XLSX stream that is generated while it is read. `record` writes who exported; when that fails,
 * nothing is sent. 429 when two exports of the person or six of all are running (try again after 30 s).
 */
export async function sheetStream<Row>(
  ctx: Ctx,
  { format, name, columns, rows }: Sheet<Row>,
  record: () => Promise<void>,
) {
  const write = await WRITERS[format]()
  // The stream starts reading as soon as it is created.
  const end = beginExport(ctx)
  const body = write(cellsOf(rows, columns), columns, name)
  body.once('close', end)
  await record().catch((error: unknown) => {
    body.destroy()
    throw error
  })
  return body
}

async function* cellsOf<Row>(
  rows: AsyncIterable<Row>,
  columns: readonly Column<Row>[],
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield columns.map(({ of }) => of(row))
}

type Writer = (rows: AsyncIterable<Cell[]>, columns: readonly SheetColumn[], name: string) => Readable
/** Their libraries are loaded with the first export: they are a tenth of what a start would load. */
const WRITERS: Record<ExportFormat, () => Promise<Writer>> = { csv: csvWriter, xlsx: xlsxWriter }

/** CSV for a Brazilian Excel: semicolons, decimal commas, UTF-8 with BOM, and formulas escaped. */
async function csvWriter(): Promise<Writer> {
  const { writeCsvStream } = await import('hucre/csv')
  return (rows, columns) => {
    async function* texts() {
      for await (const row of rows)
        yield row.map((cell, index) => formatCell(cell, columns[index]?.numberFormat))
    }
    const headers = columns.map(({ header }) => header)
    return asReadable(writeCsvStream(texts(), { headers, delimiter: ';', bom: true, escapeFormulae: true }))
  }
}
const two = (part: number) => String(part).padStart(2, '0')
function formatCell(cell: Cell, numberFormat: SheetColumn['numberFormat']) {
  if (cell instanceof Date)
    return `${two(cell.getUTCDate())}/${two(cell.getUTCMonth() + 1)}/${cell.getUTCFullYear()} ${two(cell.getUTCHours())}:${two(cell.getUTCMinutes())}`
  if (typeof cell === 'string') return escapeWideFormula(cell)
  return typeof cell === 'number' && numberFormat === 'money' ? cell.toFixed(2).replace('.', ',') : cell
}

const NUMBER_FORMATS = { money: '"R$" #,##0.00', datetime: 'dd/mm/yyyy hh:mm' }
async function xlsxWriter(): Promise<Writer> {
  const { writeXlsxStream } = await import('hucre/xlsx')
  return (rows, columns, name) =>
    asReadable(
      writeXlsxStream(rows, {
        name,
        columns: columns.map(({ header, width, numberFormat }) => ({
          header,
          width,
          ...(numberFormat && { numFmt: NUMBER_FORMATS[numberFormat] }),
        })),
        freezePane: { rows: 1 },
      }),
    )
}

const asReadable = (stream: unknown) => Readable.fromWeb(stream as ReadableStream)
