import { readFile } from 'node:fs/promises'
import type { RemittanceOwner, RemittanceView } from '@garantia/shared/claims/remittance'
import { invalid } from '@garantia/shared/errors'
import type { SheetRows } from '@garantia/shared/orders/import'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { listBrandsServedBy, readCompany } from '../../catalogue/companies/service.ts'
import { receiveSheet } from '../../evidence/import-upload/service.ts'
import {
  type ImportFile,
  INTERRUPTED,
  inTurn,
  KEPT_DAYS,
  personOf,
  shownOf,
} from '../../orders/import/service.ts'
import { findShown, findStranded, jobKey } from './queries.ts'
import { readRemittance } from './view.ts'

/**
 * Takes a CSV or XLSX with what a brand pays to a company, and queues its reading. A file that the company has sent
 * before is that remittance again, unless it was undone. 403 without permission; 404 outside the caller's scope; 422
 * for a brand that the company does not serve; otherwise as `receiveSheet`.
 */
export async function receiveRemittance(
  ctx: Ctx,
  owner: RemittanceOwner,
  parts: AsyncIterable<UploadPart>,
  length: number | null = null,
): Promise<RemittanceView> {
  await assertMayImport(ctx, owner)
  const id = await receiveSheet(ctx, owner.company_id, { parts, length }, (file) =>
    inTurn(ctx, () => keepFile(ctx, owner, file)),
  )
  return readRemittance(ctx, id)
}

/** 403 without permission; 404 outside the caller's scope; 422 for a brand that the company does not serve. */
export async function assertMayImport(ctx: Ctx, { company_id, brand_id }: RemittanceOwner) {
  authorizeSome(ctx.actor, 'remittance.import')
  await readCompany(ctx, company_id)
  authorize(ctx.actor, 'remittance.import', { company_id })
  const brands = await listBrandsServedBy(ctx, company_id)
  if (!brands.some(({ id }) => id === brand_id))
    throw invalid('Esta empresa não atende a marca escolhida', 'brand_id')
}

async function keepFile(ctx: Ctx, { company_id, brand_id }: RemittanceOwner, file: ImportFile) {
  const { path, filename, sha256, size } = file
  const content = await readFile(path)
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.clock()
    const { id } = await ctx.db
      .insertInto('remittances')
      .values({ company_id, brand_id, filename, sha256, ...personOf(ctx), created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'sha256'])
          .where('undone_at', 'is', null)
          .doUpdateSet({ updated_at: now }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const { has_content, status } = await findShown(ctx, id)
    if (status === 'done' || (has_content && status !== 'failed')) return id
    await ctx.db
      .updateTable('remittances')
      .set({ content, filename, size, received_at: now, brand_id, ...personOf(ctx) })
      .set({ status: 'reading', error: null, rows: null, mapping: null })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'read-remittance', { remittance_id: id }, { key: jobKey(id) })
    return id
  })
}

/** The file of a remittance that waits to be read; undefined when it does not. */
export const contentOf = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('remittances')
    .where('id', '=', id)
    .where('status', '=', 'reading')
    .where('content', 'is not', null)
    .select('content')
    .$narrowType<{ content: Buffer }>()
    .executeTakeFirst()

/** Keeps the rows of a file that was read. */
export async function saveRows(ctx: Ctx, id: number, rows: SheetRows) {
  await ctx.db
    .updateTable('remittances')
    .set({ status: 'read', ...shownOf(rows), updated_at: ctx.clock() })
    .where('id', '=', id)
    .where('status', '=', 'reading')
    .execute()
}

/** Ends a remittance that is being read or booked, with a message for the person; nothing of it is booked. */
export async function failRemittance(ctx: Ctx, id: number, error: string) {
  await ctx.db
    .updateTable('remittances')
    .set({ status: 'failed', error, content: null, updated_at: ctx.clock() })
    .where('id', '=', id)
    .where('status', 'in', ['reading', 'running'])
    .execute()
}

/** Fails the remittances whose job no longer exists, so that none seems to run for ever. */
export async function failStrandedRemittances(ctx: Ctx) {
  for (const { id } of await findStranded(ctx)) await failRemittance(ctx, id, INTERRUPTED)
}

/** Removes what was read from files that have not been used for a week; their lines and what became of them stay. */
export async function forgetOldRemittances(ctx: Ctx) {
  const before = sql<Date>`${ctx.clock()}::timestamptz - make_interval(days => ${sql.lit(KEPT_DAYS)})`
  await ctx.db
    .updateTable('remittances')
    .set({ rows: null, content: null })
    .where((eb) => eb.or([eb('rows', 'is not', null), eb('content', 'is not', null)]))
    .where('status', '<>', 'running')
    .where('updated_at', '<', before)
    .execute()
}
