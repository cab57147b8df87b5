import { AppError, textOf } from '@garantia/shared/errors'
import type { ImportedOrder, JudgedLine } from '@garantia/shared/orders/import-line'
import { RECORDED_FIELDS, recordedValues } from '@garantia/shared/orders/recorded'
import { can } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { findActivePerson } from '../../../kernel/person.ts'
import { judgedLines, problemOf } from './judged-lines.ts'
import { findWithRows, type ImportRow, lockImport } from './queries.ts'
import { failImport } from './reading.ts'

/** Lines of one transaction: the progress is seen between two, and a lost worker repeats at most one. */
const BATCH = 500
const NO_PERSON = 'Quem pediu a importação não tem mais acesso.'

/**
 * Opens the orders of an import that was requested, for the person who did; the system calls it. Safe to run
 * again: what an earlier run has committed is not repeated.
 */
export async function importOrders(ctx: Ctx, id: number, signal: AbortSignal) {
  const found = await findWithRows(ctx, id)
  if (found.status !== 'running') return
  const actor = await importer(ctx, found)
  if (!actor) return failImport(ctx, id, NO_PERSON)
  const judged = await judgedLines(ctx, found).catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  // What was valid when the person asked for it may not be any more: a brand was switched off.
  if (judged instanceof AppError) return failImport(ctx, id, textOf(judged.detail))
  const { lines } = judged
  const problem = found.progress === 0 ? problemOf(found.mode, lines) : null
  if (problem) return failImport(ctx, id, problem)
  let isDone = false
  while (!isDone) {
    signal.throwIfAborted()
    isDone = await importBatch({ ...ctx, actor }, id, lines)
  }
}

/** The person with the rights they have now; null when these no longer suffice. */
async function importer(ctx: Ctx, { user_id, company_id }: ImportRow) {
  const person = await findActivePerson(ctx.db, user_id)
  return person && can(person, 'order.import', { company_id }) ? person : null
}

/** Opens the orders of the next lines in one transaction with their events; true when none is left. */
function importBatch(ctx: Ctx, id: number, lines: readonly JudgedLine[]) {
  return inTransaction(ctx, async (ctx) => {
    const row = await lockImport(ctx, id)
    if (row.status !== 'running') return true
    const batch = lines.slice(row.progress, row.progress + BATCH)
    const orders = batch.flatMap((line) => ('order' in line ? line : []))
    const opened = await insertOrders(
      ctx,
      orders.map(({ order }) => order),
    )
    const lineOf = new Map(orders.map(({ line, order }) => [order.os_number, line]))
    if (opened.length > 0)
      await recordEvents(
        ctx,
        opened.map(({ id: subject_id, ...order }) => ({
          subject: 'order',
          subject_id,
          kind: 'opened',
          changes: {
            ...recordedValues(order),
            imported_from: row.filename,
            import_line: lineOf.get(order.os_number),
          },
        })),
      )
    const counts = {
      created: row.created + opened.length,
      existing: row.existing + orders.length - opened.length,
      refused: row.refused + batch.length - orders.length,
    }
    const progress = row.progress + batch.length
    const isDone = progress >= lines.length
    const now = ctx.clock()
    await ctx.db
      .updateTable('order_imports')
      .set({ ...counts, progress, updated_at: now, ...(isDone && { status: 'done', finished_at: now }) })
      .where('id', '=', id)
      .execute()
    if (isDone) await noteInAudit(ctx, row, counts)
    return isDone
  })
}

const noteInAudit = (ctx: Ctx, { filename, sha256, company_id }: ImportRow, counts: object) =>
  ctx.actor.kind === 'user' &&
  recordEvent(ctx, {
    subject: 'user',
    subject_id: ctx.actor.id,
    kind: 'orders.imported',
    changes: { filename, sha256, company_id, ...counts },
  })

/** Orders whose number was free; the others are left out. */
async function insertOrders(ctx: Ctx, orders: readonly ImportedOrder[]) {
  if (orders.length === 0) return []
  const created_by = ctx.actor.kind === 'user' ? ctx.actor.id : null
  return ctx.db
    .insertInto('service_orders')
    .values(
      orders.map(({ opened_at, ...order }) => ({
        ...order,
        opened_at: opened_at ? new Date(opened_at) : ctx.clock(),
        created_by,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', ...RECORDED_FIELDS])
    .execute()
}
