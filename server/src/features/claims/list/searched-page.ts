import type { ClaimCriteria } from '@garantia/shared/claims/criteria'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, type Seen, scopeIn } from '../../../kernel/scope.ts'
import { type SearchWords, searchWords } from '../../orders/list/service.ts'
import { type ListedClaim, listedClaims } from '../claim/service.ts'
import { isPreparable, matching, matchingIn } from './criteria.ts'
import { pageOf, type Slice, type Sorting } from './queries.ts'

type Page = Pick<Slice, 'skip' | 'limit'>
type Found = ListedClaim & { total: number }

/**
 * A page of a search, or of what no totals are kept of: one statement with the number of matches up to 1 001. Above
 * 1 000 the page is read in the order of the index, which the first matches found say nothing of.
 */
export async function searchedPage(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Page) {
  const rows = await firstFound(ctx, criteria, sorting, slice)
  const total = rows[0]?.total ?? (slice.skip === 0 ? 0 : await firstMatches(ctx, criteria))
  if (total <= SEARCH_COUNT_CAP) return { rows, total, total_is_exact: true }
  return { rows: await pageOf(ctx, criteria, sorting, slice), total: SEARCH_COUNT_CAP, total_is_exact: false }
}

async function firstFound(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Page) {
  const { search, brand_id, company_id, ...others } = criteria
  const scope = scopeIn(ctx.actor, company_id)
  const words = searchWords(ctx, search)
  if (isPreparable(criteria)) {
    const given = { companies: companiesIn(scope), brand_id, ...words }
    return preparedPage(ctx.db, given, { others, sorting, slice })
  }
  return (await foundPage({ db: ctx.db, scope }, criteria, words, sorting, slice).execute(ctx.db)).rows
}

/** The words are searched once. If as many match as are looked for, the page may lack some. */
function foundPage(seen: Seen, criteria: ClaimCriteria, words: SearchWords, sorting: Sorting, slice: Page) {
  const way = sql.raw(sorting.direction)
  const found = matchingIn(seen, criteria, words)
    .select([`claims.${sorting.column} as key`, 'claims.id'])
    .limit(sql.lit(SEARCH_COUNT_CAP + 1))
  const shown = listedClaims(seen)
    .innerJoin(sql<{ id: number; key: unknown; total: number }>`page`.as('page'), 'page.id', 'claims.id')
    // With the join alone PostgreSQL reads a small table whole.
    .where(sql<boolean>`claims.id = any(array(select id from page))`)
    .select('page.total')
    .orderBy(sql`page.key ${way} nulls last, page.id ${way}`)
  return sql<Found>`
    with found as materialized (${found}),
      page as (
        select id, key, (select count(*) from found) as total from found
        order by key ${way} nulls last, id ${way} limit ${sql.lit(slice.limit)} offset ${sql.lit(slice.skip)})
    ${shown}`
}

interface Given extends Record<string, unknown>, SearchWords {
  companies: readonly number[] | undefined
  brand_id: number[] | undefined
}
const preparedPage = prepared(
  (
    db,
    { companies, brand_id, ...words }: Given,
    { others, sorting, slice }: { others: ClaimCriteria; sorting: Sorting; slice: Page },
  ) => {
    const seen = { db, scope: companies ?? ('all' as const) }
    return foundPage(seen, { ...others, brand_id }, words, sorting, slice)
  },
)

/** The number of matches, counted up to 1 001. */
async function firstMatches(ctx: Ctx, criteria: ClaimCriteria) {
  const found = matching(ctx, criteria)
    .select('claims.id')
    .limit(sql.lit(SEARCH_COUNT_CAP + 1))
  const { total } = await ctx.db
    .selectFrom(found.as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
