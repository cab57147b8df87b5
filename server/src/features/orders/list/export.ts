import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { tooMany } from '@garantia/shared/errors'
import { calendarDay, TIME_ZONE } from '@garantia/shared/format'
import type { OrderExport } from '@garantia/shared/orders/bulk'
import { authorize, can } from '@garantia/shared/policy'
import { writeCsvStream } from 'hucre/csv'
import { writeXlsxStream } from 'hucre/xlsx'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type Origin, recordEvent } from '../../../kernel/events.ts'
import { type Cell, columnsFor, type ExportedOrder } from './columns.ts'
import { matching } from './criteria.ts'
import { orderedBy, sortingOf } from './queries.ts'

export const EXPORT_MIME = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * Exports at once per process. Each uses a database connection as long as its client reads; a few slow
 * clients must not block everyone.
 */
const MOST_AT_ONCE = 3
const TRY_AGAIN_SECONDS = 30
let activeExports = 0

/**
 * Exports the orders of a filter, or selected ones, as a CSV or XLSX stream that is generated while it is
 * read. Records the export in the audit trail of the person. Documents and phones are complete only with the
 * permission `customer.export`. 401 for an anonymous caller; 429 when three exports are running (try again
 * after 30 s).
 */
export async function exportOrders(ctx: Ctx, wanted: OrderExport, origin: Origin) {
  authorize(ctx.actor, 'order.list')
  if (activeExports >= MOST_AT_ONCE) throw tooMany(TRY_AGAIN_SECONDS)
  const { format, ...filter } = wanted
  const columns = columnsFor(can(ctx.actor, 'customer.export'))
  const rows = cells(readInOrder(ctx, filter), columns)
  // The stream starts reading as soon as it is created.
  const body = format === 'csv' ? asCsv(rows, columns) : asXlsx(rows, columns)
  activeExports++
  body.once('close', () => activeExports--)
  if (ctx.actor.kind === 'user')
    await recordEvent(ctx, {
      subject: 'user',
      subject_id: ctx.actor.id,
      kind: 'orders.exported',
      changes: { format, ...filter },
      origin,
    }).catch((error: unknown) => {
      body.destroy()
      throw error
    })
  return {
    filename: `ordens-de-servico-${calendarDay(ctx.clock())}.${format}`,
    mime: EXPORT_MIME[format],
    body,
  }
}

type Columns = ReturnType<typeof columnsFor>
async function* cells(orders: AsyncIterable<ExportedOrder>, columns: Columns): AsyncGenerator<Cell[]> {
  for await (const order of orders) yield columns.map(({ of }) => of(order))
}

/** CSV for a Brazilian Excel: semicolons, decimal commas, UTF-8 with BOM, and formulas escaped. */
function asCsv(rows: AsyncIterable<Cell[]>, columns: Columns) {
  async function* texts() {
    for await (const row of rows)
      yield row.map((cell, index) => formatCell(cell, columns[index]?.numberFormat))
  }
  const headers = columns.map(({ header }) => header)
  return asReadable(writeCsvStream(texts(), { headers, delimiter: ';', bom: true, escapeFormulae: true }))
}
const two = (part: number) => String(part).padStart(2, '0')
function formatCell(cell: Cell, numberFormat: Columns[number]['numberFormat']) {
  if (cell instanceof Date)
    return `${two(cell.getUTCDate())}/${two(cell.getUTCMonth() + 1)}/${cell.getUTCFullYear()} ${two(cell.getUTCHours())}:${two(cell.getUTCMinutes())}`
  return typeof cell === 'number' && numberFormat === 'money' ? cell.toFixed(2).replace('.', ',') : cell
}

const NUMBER_FORMATS = { money: '"R$" #,##0.00', moment: 'dd/mm/yyyy hh:mm' }
const asXlsx = (rows: AsyncIterable<Cell[]>, columns: Columns) =>
  asReadable(
    writeXlsxStream(rows, {
      name: 'Ordens de serviço',
      columns: columns.map(({ header, width, numberFormat }) => ({
        header,
        width,
        ...(numberFormat && { numFmt: NUMBER_FORMATS[numberFormat] }),
      })),
      freezePane: { rows: 1 },
    }),
  )

const asReadable = (stream: unknown) => Readable.fromWeb(stream as ReadableStream)

const CHUNK = 500
/** Timeout between two fetches, for a slow client, and for the first one, which may sort a million rows. */
const CURSOR_TIMEOUT = '10min'

/** Reads the orders in the order of the list, from one snapshot, 500 rows at a time. */
async function* readInOrder(ctx: Ctx, filter: Omit<OrderExport, 'format'>): AsyncGenerator<ExportedOrder> {
  const db = await ctx.db.startTransaction().setAccessMode('read only').execute()
  try {
    for (const limit of ['idle_in_transaction_session_timeout', 'statement_timeout'])
      await sql`set local ${sql.ref(limit)} = ${sql.lit(CURSOR_TIMEOUT)}`.execute(db)
    await sql`declare exported no scroll cursor for ${exported({ ...ctx, db }, filter)}`.execute(db)
    for (;;) {
      const { rows } = await sql<ExportedOrder>`fetch ${sql.lit(CHUNK)} from exported`.execute(db)
      if (rows.length === 0) return
      yield* rows
    }
  } finally {
    await db.rollback().execute()
  }
}

const local = (timestamp: ReturnType<typeof sql>) => sql`(${timestamp} at time zone ${sql.lit(TIME_ZONE)})`
function exported(ctx: Ctx, { ids, sort, direction, ...criteria }: Omit<OrderExport, 'format'>) {
  const now = sql`${ctx.clock()}::timestamptz`
  let orders = matching(ctx, ids ? {} : criteria)
  if (ids) orders = orders.where('service_orders.id', 'in', ids)
  return orders
    .innerJoin('brands', 'brands.id', 'service_orders.brand_id')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .select([
      'os_number',
      'service_orders.status',
      'conversion_status',
      'brands.display_name as brand',
      'companies.trading_name as company',
      'companies.tax_id as company_tax_id',
      'customer_name',
      'customer_document',
      'customer_phone',
      'vehicle_model',
      'vehicle_year',
      'vehicle_plate',
      'vehicle_chassis',
      'vehicle_mileage',
      'technician_name',
      'service_value',
      'parts_value',
      'total_value',
      sql<Date>`${local(sql`opened_at`)} at time zone 'UTC'`.as('opened'),
      sql<Date | null>`${local(sql`completed_at`)} at time zone 'UTC'`.as('completed'),
      sql<number>`greatest(0, ${local(sql`coalesce(completed_at, cancelled_at, ${now})`)}::date
        - ${local(sql`opened_at`)}::date)`.as('days_open'),
    ])
    .orderBy(orderedBy(sortingOf({ sort, direction })))
}
