import { createHash } from 'node:crypto'
import { conflict, invalid, tooLarge } from '@garantia/shared/errors'
import { bytes } from '@garantia/shared/format'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import {
  IMPORT_LIMITS,
  type ImportCheck,
  type ImportReport,
  type ImportRun,
  type ImportView,
  SHOWN_PROBLEMS,
} from '@garantia/shared/orders/import'
import { type ImportMapping, proposeMapping } from '@garantia/shared/orders/import-line'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import { judgedLines, problemOf } from './judged-lines.ts'
import { findShown, findWithRows, type ImportRow, lastMapping, lockImport } from './queries.ts'

export { readInvoice } from './invoice.ts'
export { contentOf, failImport, failStrandedImports, forgetOldImports, saveRows } from './reading.ts'
export { importOrders } from './running.ts'

/** Queue key of an import's job, of which there is at most one at a time. */
const jobKey = (id: number) => `order-import:${id}`

/**
 * Takes a CSV or XLSX file for a company and queues its reading. A file that the company has sent before is
 * that import again, with what became of it. 403 without permission; 404 outside the caller's scope; 413 over
 * 10 MB; 422 without a file.
 */
export async function receiveImport(
  ctx: Ctx,
  company_id: number,
  parts: AsyncIterable<UploadPart>,
): Promise<ImportView> {
  authorizeSome(ctx.actor, 'order.import')
  await readCompany(ctx, company_id)
  authorize(ctx.actor, 'order.import', { company_id })
  const { filename, content } = await firstFile(parts)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const id = await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock()
    const { id } = await ctx.db
      .insertInto('order_imports')
      .values({ company_id, filename, sha256, ...personOf(ctx), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['company_id', 'sha256']).doUpdateSet({ updated_at: now }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const { has_content, status } = await findShown(ctx, id)
    if (has_content && status !== 'failed') return id
    await ctx.db
      .updateTable('order_imports')
      .set({ content, status: 'reading', error: null, filename, finished_at: null, ...personOf(ctx) })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'read-order-import', { import_id: id }, { key: jobKey(id) })
    return id
  })
  return readImport(ctx, id)
}

const personOf = ({ actor }: Ctx) =>
  actor.kind === 'user'
    ? { user_id: actor.id, actor_name: actor.name }
    : { user_id: null, actor_name: 'Sistema' }

async function firstFile(parts: AsyncIterable<UploadPart>) {
  for await (const part of parts) {
    if (part.kind === 'field') continue
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of part.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= IMPORT_LIMITS.bytes) chunks.push(chunk)
    }
    if (size > IMPORT_LIMITS.bytes)
      throw tooLarge(`O arquivo passa de ${bytes(IMPORT_LIMITS.bytes)}. Divida-o e envie as partes.`)
    if (size === 0) throw invalid('O arquivo está vazio.', 'file')
    return { filename: plainFilename(part.filename), content: Buffer.concat(chunks) }
  }
  throw invalid('Envie um arquivo CSV ou XLSX.', 'file')
}
const plainFilename = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '').replace(/\p{C}/gu, '').slice(0, 255) || 'arquivo'

/**
 * The import with its headings, first lines and the mapping to begin with: the one that the company used last
 * for these headings, or one proposed by their names. 404 outside the caller's scope.
 */
export async function readImport(ctx: Ctx, id: number): Promise<ImportView> {
  authorizeSome(ctx.actor, 'order.import')
  const row = await findShown(ctx, id)
  authorize(ctx.actor, 'order.import', row)
  const own = row.mapping as ImportMapping | null
  const used = own ? { mapping: own, brand_id: row.brand_id } : await lastMapping(ctx, row)
  return {
    id: row.id,
    company_id: row.company_id,
    company: row.trading_name,
    filename: row.filename,
    status: row.status as ImportView['status'],
    error: row.error,
    headings: row.headings,
    sample: row.sample.map(({ cells }) => cells),
    lines: row.lines,
    mapping: used?.mapping ?? proposeMapping(row.headings),
    brand_id: used?.brand_id ?? null,
    progress: row.progress,
    created: row.created,
    existing: row.existing,
    refused: row.refused,
    finished_at: row.finished_at?.toISOString() ?? null,
    finished_by: row.finished_at && row.actor_name,
    has_content: row.has_content,
  }
}

/**
 * Keeps the mapping and says what an import by it would do; no order is opened. 404 outside the caller's
 * scope; 409 while the file is being read or imported, or when its content was removed; 422 for a column or a
 * brand that does not exist.
 */
export async function checkImport(ctx: Ctx, { id, mapping, brand_id }: ImportCheck): Promise<ImportReport> {
  authorizeSome(ctx.actor, 'order.import')
  const found = await findWithRows(ctx, id)
  authorize(ctx.actor, 'order.import', found)
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
    problems: problems.slice(0, SHOWN_PROBLEMS),
  }
}

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
export async function runImport(ctx: Ctx, { id, mode, mapping, brand_id }: ImportRun): Promise<ImportView> {
  authorizeSome(ctx.actor, 'order.import')
  const found = await findWithRows(ctx, id)
  authorize(ctx.actor, 'order.import', found)
  assertReady(found)
  const { lines } = await judgedLines(ctx, { ...found, mapping, brand_id })
  const problem = problemOf(mode, lines)
  if (problem) throw conflict(problem)
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

export const REPORT_MIME = 'text/csv; charset=utf-8'
/**
 * What is wrong with which line, by the mapping that was checked last, as CSV for a Brazilian Excel. 404
 * outside the caller's scope; 409 before a check, or when the content was removed.
 */
export async function reportImport(ctx: Ctx, id: number) {
  authorizeSome(ctx.actor, 'order.import')
  const found = await findWithRows(ctx, id)
  authorize(ctx.actor, 'order.import', found)
  const { lines, taken } = await judgedLines(ctx, found)
  const { writeCsv } = await import('hucre/csv')
  const rows = lines.flatMap((line) => {
    if ('problems' in line)
      return line.problems.map(({ line, field, value, message }) => [
        line,
        FIELD_LABEL[field],
        value,
        message,
      ])
    const { os_number } = line.order
    return taken.has(os_number)
      ? [[line.line, FIELD_LABEL.os_number, os_number, 'Já existe nesta empresa: não muda']]
      : []
  })
  const headers = ['Linha', 'Campo', 'Valor', 'Problema']
  return {
    filename: `importacao-${id}-problemas.csv`,
    mime: REPORT_MIME,
    body: writeCsv([headers, ...rows], { delimiter: ';', bom: true, escapeFormulae: true }),
  }
}
