import { type BrandUsage, MOST_COMPANIES } from '@garantia/shared/quota/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { visibleCompanies } from '../../catalogue/companies/service.ts'

const openUploads = (ctx: Ctx) =>
  sql`select user_id, order_id, company_id, size, received from uploads where evidence_id is null and expires_at > ${ctx.clock()}`

/**
 * Bytes that a company's orders keep, as the folded total and what was noted since, and its imports in the database,
 * with those that are announced for them.
 */
const keptBy = (ctx: Ctx, company_id: RawBuilder<unknown>) => sql<number>`(
  coalesce((select bytes from storage_totals t where t.company_id = ${company_id}), 0)
  + coalesce((select sum(bytes) from storage_deltas d where d.company_id = ${company_id}), 0)
  + coalesce((select sum(open.size) from (${openUploads(ctx)}) open
    left join service_orders o on o.id = open.order_id
    where coalesce(open.company_id, o.company_id) = ${company_id}), 0)
  + coalesce((select sum(coalesce(pg_column_size(i.content), 0) + coalesce(pg_column_size(i.rows), 0))
    from order_imports i where i.company_id = ${company_id}
      and (i.rows is not null or i.content is not null)), 0)
  + coalesce((select sum(coalesce(pg_column_size(r.content), 0) + coalesce(pg_column_size(r.rows), 0))
    from remittances r where r.company_id = ${company_id}
      and (r.rows is not null or r.content is not null)), 0))::bigint`

export interface PersonSums {
  /** Open uploads of the person, and what they announce. */
  uploads: number
  open: number
  /** Stored since `since`; deleted files count until they are purged, imports whatever became of them. */
  sent: number
  /** Announced by everybody's open uploads, not yet received. */
  announced: number
}
const sentBy = (user_id: number, since: Date) => sql`
  select id, uploaded_at as at, file_size as size from evidence_files
    where uploaded_by = ${user_id} and uploaded_at > ${since}
  union all select id, received_at, size from order_imports
    where user_id = ${user_id} and received_at > ${since}
  union all select id, received_at, size from remittances
    where user_id = ${user_id} and received_at > ${since}`

const ofPerson = (ctx: Ctx, user_id: number, since: Date) => sql`
  with open as materialized (${openUploads(ctx)})
  select
    (select count(*) from open where user_id = ${user_id}) as uploads,
    (select coalesce(sum(size), 0) from open where user_id = ${user_id})::bigint as open,
    (select coalesce(sum(size), 0) from (${sentBy(user_id, since)}) sent)::bigint as sent,
    (select coalesce(sum(size - received), 0) from open)::bigint as announced`

export async function personSums(ctx: Ctx, user_id: number, since: Date): Promise<PersonSums> {
  const { rows } = await sql<PersonSums>`${ofPerson(ctx, user_id, since)}`.execute(ctx.db)
  return rows[0] ?? NOTHING
}
const NOTHING: PersonSums = { uploads: 0, open: 0, sent: 0, announced: 0 }

/**
 * The same, with the bytes that a company keeps or will: all that an announcement depends on, in one
 * statement.
 */
export async function announcementSums(
  ctx: Ctx,
  { user_id, since, company_id }: { user_id: number; since: Date; company_id: number },
): Promise<PersonSums & { kept: number }> {
  const { rows } = await sql<PersonSums & { kept: number }>`
    ${ofPerson(ctx, user_id, since)}, ${keptBy(ctx, sql`${company_id}`)} as kept`.execute(ctx.db)
  return rows[0] ?? { ...NOTHING, kept: 0 }
}

/** When so many of the bytes that the person sent since `since` are no longer within a day; null if never. */
export async function freedAt(ctx: Ctx, user_id: number, since: Date, bytes: number) {
  const { rows } = await sql<{ at: Date }>`
    select at from (
      select at, sum(size) over (order by at, id) as sum from (${sentBy(user_id, since)}) sent) running
    where sum >= ${bytes}::bigint order by at limit 1`.execute(ctx.db)
  return rows[0]?.at ?? null
}

/** Bytes that a company keeps or will. */
export async function companyBytes(ctx: Ctx, company_id: number) {
  const { rows } = await sql<{ bytes: number }>`select ${keptBy(ctx, sql`${company_id}`)} as bytes`.execute(
    ctx.db,
  )
  return rows[0]?.bytes ?? 0
}

/** What the files of each brand's orders keep, the largest first; reads all of them. */
export const bytesOfBrands = (ctx: Ctx): Promise<BrandUsage[]> =>
  ctx.db
    .selectFrom('evidence_files')
    .innerJoin('service_orders', 'service_orders.id', 'order_id')
    .innerJoin('brands', 'brands.id', 'brand_id')
    .where('purged_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .groupBy('brands.id')
    .select(['slug', 'display_name'])
    .select(({ fn }) => [
      fn.count<number>('service_orders.id').distinct().as('orders'),
      fn.sum<number>('file_size').as('originals'),
      sql<number>`coalesce(sum(converted_size), 0)::bigint`.as('copies'),
    ])
    .orderBy(sql`sum(file_size) + coalesce(sum(converted_size), 0)`, 'desc')
    .execute()

/** The companies in the caller's scope that keep most, with how many there are. */
export async function largestCompanies(ctx: Ctx) {
  const { count } = await visibleCompanies(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const companies = await visibleCompanies(ctx)
    .select(['companies.id', 'companies.trading_name', keptBy(ctx, sql.ref('companies.id')).as('bytes')])
    .orderBy('bytes', 'desc')
    .orderBy('companies.trading_name')
    .limit(MOST_COMPANIES)
    .execute()
  return { companies, count }
}
