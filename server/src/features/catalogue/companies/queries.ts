import type { CompanyFilter } from '@garantia/shared/companies/schema'
import { notFound } from '@garantia/shared/errors'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { contains } from '../../../kernel/search.ts'

/** Companies in the caller's scope, inactive ones too. */
export const visibleCompanies = (ctx: Ctx) =>
  ctx.db.selectFrom('companies').where(inScope(ctx.actor, 'companies.id'))

/** Active companies in the caller's scope. */
export const activeCompanies = (ctx: Ctx) => visibleCompanies(ctx).where('companies.is_active', '=', true)

type Criteria = Omit<CompanyFilter, 'skip' | 'limit'>
/** Companies in the caller's scope that match the filter; every word of the search must occur. */
export function matchingCompanies(ctx: Ctx, { search, type, is_active }: Criteria) {
  let query = visibleCompanies(ctx)
  if (type) query = query.where('companies.type', '=', type)
  if (is_active !== undefined) query = query.where('companies.is_active', '=', is_active)
  for (const word of (search ?? '').split(/\s+/).filter(Boolean))
    query = query.where(contains(sql.ref('companies.search'), word))
  return query
}

/** Condition that a company serves a brand: it is linked to it, or to no brand at all (D-32). */
export const serves = (brand_id: number | RawBuilder<number>) => sql<boolean>`(
  not exists (select 1 from brand_companies bc where bc.company_id = companies.id)
  or exists (select 1 from brand_companies bc where bc.company_id = companies.id and bc.brand_id = ${brand_id}))`

/** Ids of the brands a company is linked to, ascending; empty when it serves all. */
export const brandIdsOf = async (ctx: Ctx, company_id: number) => {
  const rows = await ctx.db
    .selectFrom('brand_companies')
    .where('company_id', '=', company_id)
    .select('brand_id')
    .orderBy('brand_id')
    .execute()
  return rows.map(({ brand_id }) => brand_id)
}

/** Number of people, filiais and orders that reference a company. */
export async function countDependents(ctx: Ctx, id: number) {
  const { rows } = await sql<{ users: number; branches: number; orders: number }>`
    select
      (select count(*) from users where company_id = ${id}) as users,
      (select count(*) from companies where parent_id = ${id}) as branches,
      (select coalesce(sum(orders), 0)::bigint from order_counts where company_id = ${id}) as orders`.execute(
    ctx.db,
  )
  return rows[0] ?? { users: 0, branches: 0, orders: 0 }
}

export const VIEW_COLUMNS = [
  'companies.id',
  'companies.trading_name',
  'companies.legal_name',
  'companies.legal_name as company_name',
  'companies.tax_id',
  'companies.type',
  'companies.parent_id',
  'companies.address',
  'companies.city',
  'companies.state',
  'companies.zip_code',
  'companies.phone',
  'companies.email',
  'companies.is_active',
  'companies.write_off_limit',
] as const

export const MISSING = 'Empresa não encontrada'

/** The company, locked. 404 outside the caller's scope. */
export async function lockedCompany(ctx: Ctx, id: number) {
  const row = await visibleCompanies(ctx)
    .where('companies.id', '=', id)
    .select(VIEW_COLUMNS)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row
}

/** The logo of a company; undefined without one. */
export const findLogo = (ctx: Ctx, company_id: number) =>
  ctx.db.selectFrom('company_logos').where('company_id', '=', company_id).selectAll().executeTakeFirst()
