import { escapeWideFormula } from '@garantia/shared/csv'
import { conflict } from '@garantia/shared/errors'
import { beginningOf } from '@garantia/shared/fields'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import {
  type ImportCheck,
  type ImportReport,
  type ImportRun,
  type ImportView,
  SHOWN_PROBLEMS,
} from '@garantia/shared/orders/import'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { inTurn } from './in-turn.ts'
import { brandsFor, judgedLines, problemOf, REMOVED } from './judged-lines.ts'
import {
  findShown,
  findWithRows,
  type ImportRow,
  type ImportWithRows,
  jobKey,
  lockImport,
  personOf,
} from './queries.ts'
import { readImport } from './view.ts'

export { inTurn } from './in-turn.ts'
export { readInvoice } from './invoice.ts'
export { REMOVED } from './judged-lines.ts'
export { type ImportFile, keepImportFile } from './keeping.ts'
export { personOf } from './queries.ts'
export {
  contentOf,
  failImport,
  failStrandedImports,
  forgetOldImports,
  INTERRUPTED,
  KEPT_DAYS,
  saveRows,
  shownOf,
} from './reading.ts'
export { importOrders } from './running.ts'
export { readImport } from './view.ts'

/** Characters shown of a cell with a problem; the report as a file has all. */
const SHOWN_VALUE = 200

/**
 * Work on an import with its rows in memory, a few at a time. 404 outside the caller's scope; 429 when too many of
 * the caller's wait.
 */
function withRows<Result>(ctx: Ctx, id: number, work: (found: ImportWithRows) => Promise<Result>) {
  authorizeSome(ctx.actor, 'order.import')
  return inTurn(ctx, async () => {
    const found = await findWithRows(ctx, id)
    authorize(ctx.actor, 'order.import', found)
    return work(found)
  })
}

/**
 * Keeps the mapping and says what an import by it would do; no order is opened. 404 outside the caller's
 * scope; 409 while the file is being read or imported, or when its content was removed; 422 for a column or a
 * brand that does not exist.
 */
export const checkImport = (ctx: Ctx, { id, mapping, brand_id }: ImportCheck): Promise<ImportReport> =>
  withRows(ctx, id, async (found) => {
    assertReady(found)
    const { lines, taken } = await judgedLines(ctx, { ...found, mapping, brand_id })
    await inTransaction(ctx, async (ctx) => {
      assertReady(await lockImport(ctx, id))
      await ctx.db
        .updateTable('order_imports')
        .set({ mapping: JSON.stringify(mapping), brand_id, updated_at: ctx.clock() })
        .where('id', '=', id)
        .execute()
    })
    const problems = lines.flatMap((line) => ('problems' in line ? line.problems : []))
    const refused = lines.filter((line) => 'problems' in line).length
    return {
      lines: lines.length,
      valid: lines.length - refused,
      existing: lines.filter((line) => 'order' in line && taken.has(line.order.os_number)).length,
      refused,
      problems: problems
        .slice(0, SHOWN_PROBLEMS)
        .map(({ value, ...rest }) => ({ ...rest, value: beginningOf(value, SHOWN_VALUE) })),
    }
  })

const BUSY = 'O arquivo ainda está sendo lido ou importado.'
function assertReady({ status, error }: ImportRow) {
  if (status === 'failed') throw conflict(error ?? 'O arquivo não pôde ser lido.')
  if (status !== 'read' && status !== 'done') throw conflict(BUSY)
}

/**
 * Queues the import by the given mapping. An order whose number the company has already stays as it is, so a second
 * run changes nothing. 404 outside the caller's scope; 409 while it runs, or when one line has problems and `mode` is
 * «all»; 422 for a column or a brand that does not exist.
 */
export async function runImport(ctx: Ctx, run: ImportRun): Promise<ImportView> {
  const { id, mode, mapping, brand_id } = run
  await (mode === 'all' ? assertNoProblem(ctx, run) : assertMayRun(ctx, run))
  await inTransaction(ctx, async (ctx) => {
    assertReady(await lockImport(ctx, id))
    await ctx.db
      .updateTable('order_imports')
      .set({
        ...personOf(ctx),
        mode,
        mapping: JSON.stringify(mapping),
        brand_id,
        status: 'running',
        finished_at: null,
        progress: 0,
        created: 0,
        existing: 0,
        refused: 0,
        updated_at: ctx.clock(),
      })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'import-orders', { import_id: id }, { key: jobKey(id) })
  })
  return readImport(ctx, id)
}

const assertNoProblem = (ctx: Ctx, { id, mapping, brand_id }: ImportRun) =>
  withRows(ctx, id, async (found) => {
    assertReady(found)
    const { lines } = await judgedLines(ctx, { ...found, mapping, brand_id })
    const problem = problemOf('all', lines)
    if (problem) throw conflict(problem)
  })

/** Without its rows, which the job judges: a line with problems is left out. */
async function assertMayRun(ctx: Ctx, { id, mapping, brand_id }: ImportRun) {
  authorizeSome(ctx.actor, 'order.import')
  const found = await findShown(ctx, id)
  authorize(ctx.actor, 'order.import', found)
  assertReady(found)
  if (!found.has_content) throw conflict(REMOVED)
  await brandsFor(ctx, { ...found, mapping, brand_id })
}

export const REPORT_MIME = 'text/csv; charset=utf-8'
/**
 * What is wrong with which line, by the mapping that was checked last, as CSV for a Brazilian Excel. 404
 * outside the caller's scope; 409 before a check, or when the content was removed.
 */
export const reportImport = (ctx: Ctx, id: number) =>
  withRows(ctx, id, async (found) => {
    const { lines, taken } = await judgedLines(ctx, found)
    const { writeCsv } = await import('hucre/csv')
    const rows = lines.flatMap((line) => {
      if ('problems' in line)
        return line.problems.map(({ line, os_number, field, value, message }) => [
          line,
          os_number,
          FIELD_LABEL[field],
          value,
          message,
        ])
      const { os_number } = line.order
      return taken.has(os_number)
        ? [[line.line, os_number, FIELD_LABEL.os_number, os_number, 'Já existe nesta empresa: não muda']]
        : []
    })
    const headers = ['Linha', 'OS', 'Campo', 'Valor', 'Problema']
    const cells = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? escapeWideFormula(cell) : cell)),
    )
    return {
      filename: `importacao-${id}-problemas.csv`,
      mime: REPORT_MIME,
      body: writeCsv([headers, ...cells], { delimiter: ';', bom: true, escapeFormulae: true }),
    }
  })
