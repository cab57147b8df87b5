import { sumOf } from '@garantia/shared/claims/money'
import {
  type RemittanceBooking,
  type RemittanceColumns,
  type RemittanceInput,
  type RemittanceReport,
  type RemittanceView,
  SHOWN_DIFFERENCES,
  TYPED_MAX,
  type TypedLines,
} from '@garantia/shared/claims/remittance'
import { type LineProblem, type RemittanceLine, typedLine } from '@garantia/shared/claims/remittance-line'
import { claimName } from '@garantia/shared/claims/state'
import { conflict } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { inTurn, personOf, REMOVED } from '../../orders/import/service.ts'
import { assertPast } from '../entries/service.ts'
import { assertColumns, judge, linesOfFile } from './judging.ts'
import { assertMayImport } from './keeping.ts'
import { findShown, findWithRows, jobKey, lockRemittance } from './queries.ts'
import { bookLines } from './running.ts'
import { outcomesOf, readRemittance } from './view.ts'

export { listDifferences, resolveDifference } from './differences.ts'
export {
  contentOf,
  failRemittance,
  failStrandedRemittances,
  forgetOldRemittances,
  receiveRemittance,
  saveRows,
} from './keeping.ts'
export { bookRemittance } from './running.ts'
export { undoRemittance } from './undoing.ts'
export { listRemittances, readRemittance } from './view.ts'

/**
 * Says line by line what a file would book by these columns, without booking anything, and keeps the columns. 403
 * without permission; 404 outside the caller's scope; 409 while it is read or booked, afterwards, or when its content
 * was removed; 422 for a column that it has not; 429 when too many of the caller's wait.
 */
export function checkRemittance(
  ctx: Ctx,
  id: number,
  { mapping }: RemittanceColumns,
): Promise<RemittanceReport> {
  authorizeSome(ctx.actor, 'remittance.import')
  return inTurn(ctx, async () => {
    const found = await findWithRows(ctx, id)
    authorize(ctx.actor, 'remittance.import', found)
    assertReady(found)
    const { lines, problems } = linesOfFile(found, mapping)
    const judged = await judge(ctx, found, lines)
    await inTransaction(ctx, async (ctx) => {
      assertReady(await lockRemittance(ctx, id))
      await ctx.db
        .updateTable('remittances')
        .set({ mapping: JSON.stringify(mapping), updated_at: ctx.clock() })
        .where('id', '=', id)
        .execute()
    })
    return reportOf(lines, judged, SHOWN_DIFFERENCES, problems)
  })
}

/** What booking the lines would do, with `shown` of those that do not match. */
function reportOf(
  lines: readonly RemittanceLine[],
  judged: Awaited<ReturnType<typeof judge>>,
  shown: number,
  problems: readonly LineProblem[] = [],
): RemittanceReport {
  const counts: Record<string, number> = {}
  for (const { outcome } of judged.lines) counts[outcome] = (counts[outcome] ?? 0) + 1
  return {
    lines: lines.length,
    total: sumOf(lines.map(({ amount }) => amount)),
    outcomes: outcomesOf(counts),
    differences: judged.lines
      .filter(({ outcome }) => outcome !== 'matched')
      .slice(0, shown)
      .map(({ fingerprint: _, ...line }) => {
        const claim = judged.claims.get(line.claim_id ?? 0)
        return { ...line, claim: claim ? claimName(claim) : null }
      }),
    refused: problems.length,
    problems: problems.slice(0, SHOWN_DIFFERENCES).map(({ field: _, ...problem }) => problem),
  }
}

/**
 * Says what booking typed lines would do, with all that do not match; nothing is kept. 403 without permission; 404
 * outside the caller's scope; 422 for a brand that the company does not serve.
 */
export async function checkTypedLines(ctx: Ctx, input: TypedLines): Promise<RemittanceReport> {
  await assertMayImport(ctx, input)
  const lines = input.lines.map(typedLine)
  return reportOf(lines, await judge(ctx, input, lines), TYPED_MAX)
}

function assertReady({ status, error }: { status: string; error: string | null }) {
  if (status === 'failed') throw conflict(error ?? 'O arquivo não pôde ser lido.')
  if (status === 'done')
    throw conflict('Este demonstrativo já foi importado. Desfaça-o antes de importar de novo.')
  if (status === 'undone') throw conflict('Este demonstrativo foi desfeito. Envie o arquivo de novo.')
  if (status !== 'read') throw conflict('O arquivo ainda está sendo lido ou importado.')
}

/**
 * Queues the booking of a file by these columns. What matches is booked, the rest waits as differences. 403 without
 * permission; 404 outside the caller's scope; 409 while it is read or booked, and once it was, so that the same file
 * changes nothing; 422 for a column that it has not, or a day in the future.
 */
export async function runRemittance(
  ctx: Ctx,
  id: number,
  { mapping, number, paid_on }: RemittanceBooking,
): Promise<RemittanceView> {
  authorizeSome(ctx.actor, 'remittance.import')
  const found = await findShown(ctx, id)
  authorize(ctx.actor, 'remittance.import', found)
  assertReady(found)
  if (!found.has_content) throw conflict(REMOVED)
  assertColumns(found.headings, mapping)
  assertPast(ctx, paid_on, 'paid_on')
  await inTransaction(ctx, async (ctx) => {
    assertReady(await lockRemittance(ctx, id))
    await ctx.db
      .updateTable('remittances')
      .set({ ...personOf(ctx), mapping: JSON.stringify(mapping), number: number ?? null, paid_on })
      .set({ status: 'running', updated_at: ctx.clock() })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'book-remittance', { remittance_id: id }, { key: jobKey(id) })
  })
  return readRemittance(ctx, id)
}

/**
 * Keeps a remittance that was typed, and books what matches at once; the rest waits as differences. 403 without
 * permission; 404 outside the caller's scope; 422 for a brand that the company does not serve, or a day in the future.
 */
export async function typeRemittance(ctx: Ctx, input: RemittanceInput): Promise<RemittanceView> {
  const { lines, company_id, brand_id, number, paid_on } = input
  await assertMayImport(ctx, input)
  assertPast(ctx, paid_on, 'paid_on')
  const id = await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock()
    const { id } = await ctx.db
      .insertInto('remittances')
      .values({
        company_id,
        brand_id,
        number: number ?? null,
        paid_on,
        ...personOf(ctx),
        status: 'running',
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await bookLines(ctx, await lockRemittance(ctx, id), lines.map(typedLine))
    return id
  })
  return readRemittance(ctx, id)
}
