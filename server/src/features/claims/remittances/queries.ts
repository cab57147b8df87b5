import type { Remittances } from '@garantia/migrations/schema'
import type { Candidate } from '@garantia/shared/claims/matching'
import type { RemittanceMapping } from '@garantia/shared/claims/remittance'
import type { RemittanceLine } from '@garantia/shared/claims/remittance-line'
import { notFound } from '@garantia/shared/errors'
import type { SheetRows } from '@garantia/shared/orders/import'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope, scopeOf, within } from '../../../kernel/scope.ts'

const MISSING = 'Demonstrativo não encontrado'

/** Queue key of a remittance's job, of which there is at most one at a time. */
export const jobKey = (id: number | '') => `remittance:${id}`

/** What is known of a remittance besides its bytes and rows, which are only read where they are needed. */
const COLUMNS = [
  ...(['id', 'company_id', 'brand_id', 'user_id', 'actor_name', 'number', 'filename', 'sha256'] as const),
  ...(['status', 'error', 'headings', 'sample', 'mapping', 'lines', 'refused', 'progress'] as const),
  ...(['total', 'created_at', 'finished_at', 'undone_at', 'undone_by_name', 'undo_reason'] as const),
]
const SELECTED = COLUMNS.map((column) => `remittances.${column}` as const)
const paidOn = sql<string | null>`remittances.paid_on::text`.as('paid_on')
export type RemittanceRow = Pick<Selectable<Remittances>, (typeof COLUMNS)[number]> & {
  paid_on: string | null
}

/** Remittances in the caller's scope. */
export const visibleRemittances = (ctx: Ctx) =>
  ctx.db.selectFrom('remittances').where(inScope(ctx.actor, 'remittances.company_id'))

/** Of a line: a person has to decide about it. */
export const isWaiting = sql<boolean>`outcome <> 'matched' and resolved_at is null`
const ofLines = (sum: ReturnType<typeof sql>) =>
  sql<number>`(select ${sum} from remittance_lines where remittance_id = remittances.id)`

/** The remittances with their company and brand, without bytes and rows. */
export const shownRemittances = (ctx: Ctx) =>
  visibleRemittances(ctx)
    .innerJoin('companies', 'companies.id', 'remittances.company_id')
    .innerJoin('brands', 'brands.id', 'remittances.brand_id')
    .select(SELECTED)
    .select(['companies.trading_name', 'brands.display_name', paidOn])
    .select(sql<boolean>`rows is not null or content is not null`.as('has_content'))
    .select(
      sql<Record<string, number>>`coalesce((
        select jsonb_object_agg(outcome, lines) from (
          select outcome, count(*) as lines from remittance_lines
          where remittance_id = remittances.id group by outcome) counted), '{}')`.as('outcomes'),
    )
    .select(
      ofLines(sql`coalesce(sum(amount) filter (where outcome = 'matched'
      or resolution in ('booked', 'written_off')), 0)`).as('booked'),
    )
    .select(ofLines(sql`count(*) filter (where ${isWaiting})`).as('waiting'))
export type ShownRemittance = Awaited<ReturnType<ReturnType<typeof shownRemittances>['execute']>>[number]

/** 404 outside the caller's scope. */
export async function findShown(ctx: Ctx, id: number): Promise<ShownRemittance> {
  const row = await shownRemittances(ctx).where('remittances.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** The remittance, locked until the transaction ends, before any order. 404 outside the caller's scope. */
export async function lockRemittance(ctx: Ctx, id: number): Promise<RemittanceRow> {
  const row = await visibleRemittances(ctx)
    .where('remittances.id', '=', id)
    .select(SELECTED)
    .select(paidOn)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** With the rows of its sheet; null when they were removed. 404 outside the caller's scope. */
export async function findWithRows(ctx: Ctx, id: number) {
  const row = await visibleRemittances(ctx)
    .where('remittances.id', '=', id)
    .select(SELECTED)
    .select([paidOn, 'remittances.rows'])
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return { ...row, rows: row.rows as SheetRows | null }
}

/** The mapping that was used last for a file of the brand with these headings, whichever company sent it. */
export async function lastMapping(ctx: Ctx, { brand_id, headings }: ShownRemittance) {
  if (headings.length === 0) return undefined
  const row = await ctx.db
    .selectFrom('remittances')
    .where('brand_id', '=', brand_id)
    .where('mapping', 'is not', null)
    .where('filename', 'is not', null)
    .where(sql<boolean>`headings = ${[...headings]}::text[]`)
    .orderBy('updated_at', 'desc')
    .select('mapping')
    .limit(1)
    .executeTakeFirst()
  return row?.mapping as RemittanceMapping | undefined
}

/** The company of a remittance and its filiais, as far as the caller sees them: a matriz is paid for all. */
export async function companiesPaid(ctx: Ctx, company_id: number) {
  const rows = await ctx.db
    .selectFrom('companies')
    .where((eb) => eb.or([eb('companies.id', '=', company_id), eb('parent_id', '=', company_id)]))
    .where(within(scopeOf(ctx.actor), 'companies.id'))
    .select('companies.id')
    .execute()
  return rows.map(({ id }) => id)
}

type Owner = Pick<RemittanceRow, 'company_id' | 'brand_id'>
export type FoundClaim = Candidate & { order_id: number; n: number; company_id: number }
/** The claims that the lines may mean by their numbers; with `ids` only of these. */
export async function candidatesFor(
  ctx: Ctx,
  { company_id, brand_id }: Owner,
  lines: readonly RemittanceLine[],
  ids?: readonly number[],
): Promise<FoundClaim[]> {
  const companies = await companiesPaid(ctx, company_id)
  const numbers = [...new Set(lines.flatMap(({ brand_number }) => brand_number ?? []))]
  const oses = [...new Set(lines.flatMap(({ os_number }) => os_number ?? []))]
  const { rows } = await sql<FoundClaim>`
    select claims.id, claims.order_id, claims.n, claims.company_id, claims.state, brand_number, claimed, authorised,
      paid, debited, written_off, carried, os_number, vehicle_chassis
    from (
      select id from claims where brand_id = ${brand_id} and brand_number = any(${numbers}::text[])
      union
      select claims.id from service_orders join claims on claims.order_id = service_orders.id
      where service_orders.company_id = any(${companies}::bigint[]) and os_number = any(${oses}::text[])) found
    join claims on claims.id = found.id
    join service_orders on service_orders.id = claims.order_id
    where claims.brand_id = ${brand_id} and claims.company_id = any(${companies}::bigint[])
      and claims.deleted_at is null
      ${ids ? sql`and claims.id = any(${[...ids]}::bigint[])` : sql``}
    order by claims.id`.execute(ctx.db)
  return rows
}

/** Which of the fingerprints a remittance has that was not undone. */
export async function repeatedAmong(ctx: Ctx, fingerprints: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('remittance_lines')
    .innerJoin('remittances', 'remittances.id', 'remittance_lines.remittance_id')
    .where(sql<boolean>`fingerprint = any(${[...fingerprints]}::text[])`)
    .where('undone_at', 'is', null)
    .select('fingerprint')
    .distinct()
    .execute()
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

/** Locks orders, then claims, each in the order of their ids, whoever may see them. */
export async function lockAll(ctx: Ctx, found: readonly { id: number; order_id: number }[]) {
  const orders = [...new Set(found.map(({ order_id }) => order_id))]
  const claims = [...new Set(found.map(({ id }) => id))]
  await sql`select id from service_orders where id = any(${orders}::bigint[]) order by id
    for no key update`.execute(ctx.db)
  await sql`select id from claims where id = any(${claims}::bigint[]) order by id
    for no key update`.execute(ctx.db)
}

/** Remittances whose job is gone for good. */
export async function findStranded(ctx: Ctx) {
  const { rows } = await sql<{ id: number }>`
    select r.id from remittances r
    where r.status in ('reading', 'running') and r.updated_at < now() - interval '15 seconds'
      and not exists (
        select 1 from graphile_worker.jobs j
        where j.key = ${jobKey('')} || r.id
          and (j.locked_at is not null or j.attempts < j.max_attempts))`.execute(ctx.db)
  return rows
}
