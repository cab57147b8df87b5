import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { inScope } from '../../kernel/scope.ts'

/** Active companies in the caller's scope, by name. */
export const activeCompanies = (ctx: Ctx) =>
  ctx.db
    .selectFrom('companies')
    .where('companies.is_active', '=', true)
    .where(inScope(ctx.actor, 'companies.id'))

/** A company without any link serves every brand (D-32). */
export const serves = (brand_id: number) => sql<boolean>`(
  not exists (select 1 from brand_companies bc where bc.company_id = companies.id)
  or exists (select 1 from brand_companies bc where bc.company_id = companies.id and bc.brand_id = ${brand_id}))`

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
] as const
