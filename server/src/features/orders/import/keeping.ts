import { readFile } from 'node:fs/promises'
import type { ImportView } from '@garantia/shared/orders/import'
import { type Ctx, enqueue, inTransaction } from '../../../kernel/context.ts'
import { inTurn } from './in-turn.ts'
import { findShown, jobKey, personOf } from './queries.ts'
import { readImport } from './view.ts'

export interface ImportFile {
  path: string
  filename: string
  size: number
  sha256: string
}

/**
 * The import of a file on the local disk, whose reading is queued. One that the company has sent before is that
 * import again, with what became of it; it begins anew when it failed or its content was removed. Whether the
 * caller may is the caller's to check. 429 when too many of theirs wait.
 */
export async function keepImportFile(ctx: Ctx, company_id: number, file: ImportFile): Promise<ImportView> {
  return readImport(ctx, await inTurn(ctx, () => keepFile(ctx, company_id, file)))
}

async function keepFile(ctx: Ctx, company_id: number, { path, filename, sha256, size }: ImportFile) {
  const content = await readFile(path)
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.clock()
    const { id } = await ctx.db
      .insertInto('order_imports')
      .values({ company_id, filename, sha256, ...personOf(ctx), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['company_id', 'sha256']).doUpdateSet({ updated_at: now }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const { has_content, status } = await findShown(ctx, id)
    if (has_content && status !== 'failed') return id
    const reading = { status: 'reading', error: null, finished_at: null } as const
    await ctx.db
      .updateTable('order_imports')
      .set({ content, filename, size, received_at: now, ...reading, ...personOf(ctx) })
      .where('id', '=', id)
      .execute()
    await enqueue(ctx, 'read-order-import', { import_id: id }, { key: jobKey(id) })
    return id
  })
}
