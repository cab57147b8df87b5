import type { OrderImports } from '@garantia/migrations/schema'
import { notFound } from '@garantia/shared/errors'
import type { SheetRows } from '@garantia/shared/orders/import'
import type { ImportMapping } from '@garantia/shared/orders/import-line'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { isStranded } from '../../../kernel/stranded.ts'

const MISSING = 'Importação não encontrada'

/** Queue key of an import's job, of which there is at most one at a time. */
export const jobKey = (id: number | '') => `order-import:${id}`

/** Who works on an import now. */
export const personOf = ({ actor }: Ctx) =>
  actor.kind === 'user'
    ? { user_id: actor.id, actor_name: actor.name }
    : { user_id: null, actor_name: 'Sistema' }

/** What is known of an import besides its bytes and rows, which are only read where they are needed. */
const COLUMNS = [
  ...(['id', 'company_id', 'user_id', 'actor_name', 'filename', 'sha256', 'status', 'error'] as const),
  ...(['headings', 'sample', 'lines', 'mapping', 'brand_id', 'mode', 'progress', 'created'] as const),
  ...(['existing', 'refused', 'finished_at'] as const),
]
const SELECTED = COLUMNS.map((column) => `order_imports.${column}` as const)
export type ImportRow = Pick<Selectable<OrderImports>, (typeof COLUMNS)[number]>

/** A query for an import in the caller's scope. */
const visibleImport = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('order_imports')
    .where('order_imports.id', '=', id)
    .where(inScope(ctx.actor, 'order_imports.company_id'))

/**
 * The import with its company: what the screen asks for again and again, without bytes and rows. 404 outside the caller's scope.
 */
export async function findShown(ctx: Ctx, id: number) {
  const row = await visibleImport(ctx, id)
    .innerJoin('companies', 'companies.id', 'order_imports.company_id')
    .select(SELECTED)
    .select([
      'companies.trading_name',
      sql<boolean>`rows is not null or content is not null`.as('has_content'),
    ])
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** The import, locked until the transaction ends. 404 outside the caller's scope. */
export async function lockImport(ctx: Ctx, id: number): Promise<ImportRow> {
  const row = await visibleImport(ctx, id).select(SELECTED).forUpdate().executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** The import with the rows of its sheet; null when they were removed. 404 outside the caller's scope. */
export async function findWithRows(ctx: Ctx, id: number) {
  const row = await visibleImport(ctx, id).select(SELECTED).select('rows').executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return { ...row, rows: row.rows as SheetRows | null }
}
export type ImportWithRows = Awaited<ReturnType<typeof findWithRows>>

/** The mapping that the company used last for a file with these headings. */
export async function lastMapping(ctx: Ctx, { company_id, headings }: ImportRow) {
  if (headings.length === 0) return undefined
  const row = await ctx.db
    .selectFrom('order_imports')
    .where('company_id', '=', company_id)
    .where(sql<boolean>`headings = ${[...headings]}::text[]`)
    .where('mapping', 'is not', null)
    .orderBy('updated_at', 'desc')
    .select(['mapping', 'brand_id'])
    .limit(1)
    .executeTakeFirst()
  return row && { mapping: row.mapping as ImportMapping, brand_id: row.brand_id }
}

/** Which of the numbers the company has already; deleted orders free theirs. */
export async function takenNumbers(ctx: Ctx, company_id: number, numbers: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('service_orders')
    .where('company_id', '=', company_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`os_number = any(${[...numbers]}::text[])`)
    .select('os_number')
    .execute()
  return new Set(rows.map(({ os_number }) => os_number))
}

/** Imports whose job is gone for good. */
export const findStranded = (ctx: Ctx) =>
  ctx.db
    .selectFrom('order_imports')
    .where('status', 'in', ['reading', 'running'])
    .where(isStranded({ id: 'order_imports.id', key: jobKey(''), since: 'order_imports.updated_at' }))
    .select('id')
    .execute()
