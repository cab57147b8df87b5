import { beginningOf } from '@garantia/shared/fields'
import type { SheetRows } from '@garantia/shared/orders/import'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { findStranded } from './queries.ts'

/** Customers' data of a file stay this long after its last use; what became of it stays. */
export const KEPT_DAYS = 7
export const INTERRUPTED = 'A importação foi interrompida várias vezes. Envie o arquivo de novo.'

/** Characters of a heading and of a cell that are enough to recognise a column by. */
const HEADING = 200
const SAMPLE = 100

/** The file of an import that waits to be read; undefined when it does not. */
export const contentOf = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('order_imports')
    .where('id', '=', id)
    .where('status', '=', 'reading')
    .where('content', 'is not', null)
    .select('content')
    .$narrowType<{ content: Buffer }>()
    .executeTakeFirst()

/** What is kept of the rows of a file; the first has the headings. */
export const shownOf = (rows: SheetRows) => ({
  rows: JSON.stringify(rows),
  headings: (rows[0]?.cells ?? []).map((cell) => beginningOf(cell, HEADING)),
  sample: JSON.stringify(rows.slice(1, 4).map(({ cells }) => cells.map((cell) => beginningOf(cell, SAMPLE)))),
  lines: rows.length - 1,
  content: null,
})

/** Keeps the rows of a file that was read. */
export async function saveRows(ctx: Ctx, id: number, rows: SheetRows) {
  await ctx.db
    .updateTable('order_imports')
    .set({
      status: 'read',
      ...shownOf(rows),
      updated_at: ctx.clock(),
    })
    .where('id', '=', id)
    .where('status', '=', 'reading')
    .execute()
}

/** Ends an import that is being read or run with a message for the person; orders that were opened stay. */
export async function failImport(ctx: Ctx, id: number, error: string) {
  await ctx.db
    .updateTable('order_imports')
    .set({ status: 'failed', error, content: null, updated_at: ctx.clock() })
    .where('id', '=', id)
    .where('status', 'in', ['reading', 'running'])
    .execute()
}

/** Fails the imports whose job no longer exists, so that none seems to run for ever. */
export async function failStrandedImports(ctx: Ctx) {
  for (const { id } of await findStranded(ctx)) await failImport(ctx, id, INTERRUPTED)
}

/** Removes what was read from files that have not been used for a week. */
export async function forgetOldImports(ctx: Ctx) {
  const before = sql<Date>`${ctx.clock()}::timestamptz - make_interval(days => ${sql.lit(KEPT_DAYS)})`
  await ctx.db
    .updateTable('order_imports')
    .set({ rows: null, content: null })
    .where((eb) => eb.or([eb('rows', 'is not', null), eb('content', 'is not', null)]))
    .where('status', '<>', 'running')
    .where('updated_at', '<', before)
    .execute()
}
