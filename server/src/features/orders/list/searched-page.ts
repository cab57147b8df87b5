import type { OrderCriteria } from '@garantia/shared/orders/criteria'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import { type InferResult, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { prepared } from '../../../kernel/prepared.ts'
import { companiesIn, scopeIn } from '../../../kernel/scope.ts'
import { listedOrders, presentRows, readRows } from '../order/service.ts'
import { isOfOpenOnes, matching, openingDays, peopleFor, searchWords } from './criteria.ts'
import { firstMatches, pageOfIds, type Slice, type Sorting } from './queries.ts'

/** Counts all matches. */
export type CountAll = (criteria: OrderCriteria) => Promise<number>

/**
 * A page of a search, or of what no sums are kept of. Up to 1,000 matches it is one statement with their number;
 * beyond, the page is read in the order of an index, and `countAll`, if given, counts them.
 */
export async function searchedPage(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
  countAll?: CountAll,
) {
  const first = await firstPage(ctx, criteria, sorting, slice, SEARCH_COUNT_CAP + 1)
  const total = first.total ?? (slice.skip === 0 ? 0 : await firstMatches(ctx, criteria))
  if (total <= SEARCH_COUNT_CAP) return { items: first.items, total, total_is_exact: true }
  const [ordered, counted] = await Promise.all([
    pageOfIds(ctx, criteria, sorting, { ...slice, isBroad: true }),
    countAll?.(criteria),
  ])
  return {
    items: await readRows(ctx, ordered),
    total: counted ?? SEARCH_COUNT_CAP,
    total_is_exact: counted !== undefined,
  }
}

/** A page of the first `most` matches that are found, with their number, which an empty page lacks. */
export async function firstPage(
  ctx: Ctx,
  criteria: OrderCriteria,
  sorting: Sorting,
  slice: Pick<Slice, 'skip' | 'limit'>,
  most: number,
) {
  const { search, brand_id, company_id, status, conversion_status, responsible } = criteria
  const people = peopleFor(ctx.actor, responsible)
  const given = {
    companies: companiesIn(scopeIn(ctx.actor, company_id)),
    people: people?.ids,
    brand_id,
    ...searchWords(ctx, search),
    from: undefined,
    until: undefined,
    ...openingDays(ctx, criteria),
    now: ctx.clock(),
  }
  const is_open = isOfOpenOnes(criteria)
  const filter = { status, conversion_status, is_open, includesNobody: people?.includesNobody }
  const rows = await pageOfFirst(ctx.db, given, { filter, sorting, slice, most })
  return { items: presentRows(ctx, rows), total: rows[0]?.total }
}

interface Page {
  filter: Pick<OrderCriteria, 'status' | 'conversion_status'> & {
    is_open: boolean
    includesNobody: boolean | undefined
  }
  sorting: Sorting
  slice: Pick<Slice, 'skip' | 'limit'>
  most: number
}
interface Given extends Record<string, unknown> {
  companies: readonly number[] | undefined
  brand_id: number[] | undefined
  people: readonly number[] | undefined
  patterns: readonly string[]
  numbers: readonly string[]
  limited: readonly string[]
  from: string | undefined
  until: string | undefined
  now: Date
}

/** The words are searched once. If as many match as are looked for, the page may lack some. */
const pageOfFirst = prepared((db, given: Given, { filter, sorting, slice, most }: Page) => {
  const { companies, brand_id, people: ids, patterns, numbers, limited, from, until, now } = given
  const { includesNobody = false, ...chosen } = filter
  const people = ids && { ids, includesNobody }
  const scope = companies ?? 'all'
  const asking = { db, clock: () => now, actor: { kind: 'system' } as const }
  const words = { patterns, numbers, limited }
  const matches = matching(asking, { ...chosen, brand_id, people, words, days: { from, until } }, scope)
    .select([`service_orders.${sorting.column} as key`, 'service_orders.id'])
    .limit(sql.lit(most))
  const way = sql.raw(sorting.direction)
  const rows = listedOrders({ db, scope })
    .innerJoin(
      sql<{ id: number; key: unknown; total: number }>`page`.as('page'),
      'page.id',
      'service_orders.id',
    )
    // With the join alone PostgreSQL reads a small table whole.
    .where(sql<boolean>`service_orders.id = any(array(select id from page))`)
    .select('page.total')
    .orderBy(sql`page.key ${way} nulls last, page.id ${way}`)
  return sql<InferResult<typeof rows>[number]>`
    with found as materialized (${matches}),
      page as (
        select id, key, (select count(*) from found) as total from found
        order by key ${way} nulls last, id ${way} limit ${sql.lit(slice.limit)} offset ${sql.lit(slice.skip)})
    ${rows}`
})
