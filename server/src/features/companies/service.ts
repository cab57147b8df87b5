import { DEFAULT_LIMIT } from '@garantia/shared/fields'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { activeCompanies, serves, VIEW_COLUMNS } from './queries.ts'

interface Page {
  skip?: number | undefined
  limit?: number | undefined
}

export async function listActiveCompanies(ctx: Ctx, { skip = 0, limit = DEFAULT_LIMIT }: Page) {
  authorize(ctx.actor, 'company.read')
  return page(activeCompanies(ctx), skip, limit)
}

/** Companies that may be chosen on an order of this brand. */
export async function listCompaniesOfBrand(ctx: Ctx, brand_id: number) {
  authorize(ctx.actor, 'company.read')
  return page(activeCompanies(ctx).where(serves(brand_id)), 0, DEFAULT_LIMIT)
}

/** The company of a new order, when the caller may use it and it serves the brand. */
export const findCompanyServing = (ctx: Ctx, company_id: number, brand_id: number) =>
  activeCompanies(ctx)
    .where('companies.id', '=', company_id)
    .select(['companies.id', serves(brand_id).as('serves_brand')])
    .executeTakeFirst()

async function page(query: ReturnType<typeof activeCompanies>, skip: number, limit: number) {
  const [data, { count }] = await Promise.all([
    query
      .select(VIEW_COLUMNS)
      .orderBy(sql`lower(companies.trading_name)`)
      .orderBy('companies.id')
      .offset(skip)
      .limit(limit)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { data, count }
}
