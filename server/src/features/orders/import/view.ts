import type { ImportView } from '@garantia/shared/orders/import'
import { type ImportMapping, proposeMapping } from '@garantia/shared/orders/import-line'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { findShown, lastMapping } from './queries.ts'

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
    sample: row.sample as string[][],
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
