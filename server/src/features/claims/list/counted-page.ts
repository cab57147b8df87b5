import type { ClaimCriteria } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES, type ClaimState } from '@garantia/shared/claims/state'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, type Seen, scopeIn } from '../../../kernel/scope.ts'
import { FORWARDS, isAnyOf, isOneOf, listLengths } from '../../orders/list/service.ts'
import { isDelta, isOfSums, listedClaims } from '../claim/service.ts'
import { cutOf, isInTwoParts, pageOf, type Range, rangeOf, type Slice, type Sorting } from './queries.ts'

const { isInFirstHalf, remember } = listLengths()

/** A page of claims whose number is known from the totals by company, brand and state; the first ones in one statement. */
export async function countedPage(
  ctx: Ctx,
  criteria: ClaimCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
) {
  const { state, brand_id, company_id } = criteria
  const given = { companies: companiesIn(scopeIn(ctx.actor, company_id)), brand_id }
  const { skip, limit } = slice
  const list = JSON.stringify([given, state])
  const isAhead = isInFirstHalf(list, skip) && !isInTwoParts(sorting)
  if (isAhead) {
    const read = skip <= FORWARDS ? firstPages : laterPages
    const rows = await read(ctx.db, given, { state, sorting, skip, limit })
    const [first] = rows
    if (first) {
      remember(list, first.total)
      return { rows, total: first.total, total_is_exact: true }
    }
  }
  const [counted] = await totalOfState(ctx.db, given, { state })
  const total = counted?.total ?? 0
  remember(list, total)
  if (isAhead || skip >= total) return { rows: [], total, total_is_exact: true }
  if (isInTwoParts(sorting))
    return { rows: await pageOf(ctx, criteria, sorting, { ...slice, total }), total, total_is_exact: true }
  const rows = await deepPages(ctx.db, given, { state, sorting, ...rangeOf({ ...slice, total }) })
  return { rows, total, total_is_exact: true }
}

interface Given extends Record<string, unknown> {
  companies: readonly number[] | undefined
  brand_id: number[] | undefined
}
interface Shown {
  state: ClaimState[] | undefined
}

interface Page extends Shown, Range {
  sorting: Sorting
}

/** The claims of a page in the order of the list; the page is cut from an index before anything is joined. */
function rowsOf(seen: Seen, { brand_id }: Given, { state, sorting, ...range }: Page) {
  const cut = cutOf(seen, { brand_id, state }, sorting, range)
  return listedClaims(seen)
    .innerJoin(sql<{ id: number; key: unknown }>`(${cut})`.as('page'), 'page.id', 'claims.id')
    .orderBy(sql.raw(`page.key ${sorting.direction}, page.id ${sorting.direction}`))
}

/** With the total, read forwards. */
const pageAhead = (
  db: Ctx['db'],
  given: Given,
  { skip, limit, ...page }: Shown & { sorting: Sorting } & Pick<Slice, 'skip' | 'limit'>,
) => {
  const seen = { db, scope: given.companies ?? ('all' as const) }
  const range = { size: limit, offset: skip, isReversed: false }
  return rowsOf(seen, given, { ...page, ...range }).select(totalOf(given, page).as('total'))
}
const firstPages = prepared(pageAhead)
/** Apart from the first ones, which everybody asks for: these are of many forms. */
const laterPages = prepared(pageAhead)
const deepPages = prepared((db, given: Given, page: Page) =>
  rowsOf({ db, scope: given.companies ?? 'all' }, given, page),
)

/** The number of the claims, as an expression. */
function totalOf({ companies, brand_id }: Given, { state }: Shown) {
  const where = sql`${brand_id?.length ? isAnyOf('brand_id', brand_id) : sql`true`}
    and ${state?.length ? isOneOf('state', CLAIM_STATES, state) : sql`true`}`
  return sql<number>`(
    select coalesce(sum(claims), 0)::int from (
      select claims from claim_sums where ${isOfSums(companies)} and ${where}
      union all select claims from claim_deltas where ${isDelta(companies)} and ${where}) noted)`
}
const totalOfState = prepared(
  (_db, given: Given, shown: Shown) => sql<{ total: number }>`select ${totalOf(given, shown)} as total`,
)
