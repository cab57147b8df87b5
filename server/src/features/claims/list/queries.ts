import type { ClaimCriteria, ClaimFilter, ClaimSort } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES } from '@garantia/shared/claims/state'
import type { Direction } from '@garantia/shared/orders/criteria'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import type { Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, seenBy } from '../../../kernel/scope.ts'
import { isAnyOf, isOneOf } from '../../orders/list/service.ts'
import { type ListedClaim, listedClaims } from '../claim/service.ts'
import { isCoveredByTotals, matching } from './criteria.ts'

interface Sorting {
  column: ClaimSort
  direction: Direction
}
/** Sort column and direction. Default: newest first; what is due soonest first. */
export const sortingOf = ({ sort = 'created_at', direction }: Pick<ClaimFilter, 'sort' | 'direction'>) => ({
  column: sort,
  direction: direction ?? (sort === 'due_on' ? ('asc' as const) : ('desc' as const)),
})
/** The ORDER BY of a list, with claims without a value last and the id as tie-breaker. */
export const orderedBy = ({ column, direction }: Sorting) => {
  const way = sql.raw(direction)
  return sql`claims.${sql.ref(column)} ${way} nulls last, claims.id ${way}`
}

/** Read backwards, an index returns claims without a day first, but they must come last. */
const isInTwoParts = ({ column, direction }: Sorting) =>
  direction === 'desc' && (column === 'sent_at' || column === 'due_on')

interface Slice {
  skip: number
  limit: number
  /** Number of matches. When known, pages in the second half are read from the other end. */
  total?: number | undefined
}
type Part = 'dated' | 'undated'

/** The rows of one page; its ids are selected on an index of the sort before anything is joined. */
async function pageOf(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) {
  const ids = await pageOfIds(ctx, criteria, sorting, slice)
  if (ids.length === 0) return []
  const rows = await listedClaims(seenBy(ctx))
    .where(sql<boolean>`claims.id = any(${ids}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function pageOfIds(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) {
  if (!isInTwoParts(sorting)) return cut(ctx, criteria, sorting, slice)
  const { skip, limit, total } = slice
  const undated = matching(ctx, criteria).where(`claims.${sorting.column}`, 'is', null)
  if (total === undefined) {
    const first = await cut(ctx, criteria, sorting, slice, 'dated')
    if (first.length === limit) return first
    const dated =
      first.length > 0
        ? skip + first.length
        : await count(matching(ctx, criteria).where(`claims.${sorting.column}`, 'is not', null))
    const rest = { skip: Math.max(0, skip - dated), limit: limit - first.length }
    return [...first, ...(await cut(ctx, criteria, sorting, rest, 'undated'))]
  }
  const without = await count(undated)
  const dated = total - without
  const first = await cut(ctx, criteria, sorting, { skip, limit, total: dated }, 'dated')
  const rest = { skip: Math.max(0, skip - dated), limit: limit - first.length, total: without }
  return [...first, ...(await cut(ctx, criteria, sorting, rest, 'undated'))]
}

async function cut(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice, part?: Part) {
  const { column, direction } = sorting
  const { skip, limit, total } = slice
  const isReversed = total !== undefined && skip > total / 2
  const size = total === undefined ? limit : Math.min(limit, total - skip)
  const offset = isReversed ? total - skip - size : skip
  if (size <= 0) return []
  const way = isReversed === (direction === 'asc') ? 'desc' : 'asc'
  const order = sql.raw(`key ${way}, id ${way}`)
  const parts = scopesToMerge(ctx, criteria).map((scope) => {
    let one = matching(ctx, criteria, scope)
    if (part) one = one.where(`claims.${column}`, part === 'dated' ? 'is not' : 'is', null)
    return one
      .select([`claims.${column} as key`, 'claims.id'])
      .orderBy(order)
      .limit(sql.lit(offset + size))
  })
  // Sorted and limited already, so that the database merges the parts instead of sorting their union.
  const merged = sql.join(
    parts.map((one) => sql`(${one})`),
    sql` union all `,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (${merged}) found order by ${order}
    limit ${sql.lit(size)} offset ${sql.lit(offset)}`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  return isReversed ? ids.reverse() : ids
}

const MAX_MERGED = 40
/** Each company of a caller has its own branch, since an index is sorted within one company. */
function scopesToMerge(ctx: Ctx, criteria: ClaimCriteria): Scope[] {
  const scope = scopeIn(ctx.actor, criteria.company_id)
  return scope === 'all' || scope.length < 2 || scope.length > MAX_MERGED
    ? [scope]
    : scope.map((company_id) => [company_id])
}

const count = async (found: ReturnType<typeof matching>) =>
  (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total

/**
 * A page of a search, or of what no totals are kept of: one statement with the number of matches up to 1 001. Above
 * 1 000 the page is read in the order of the index, which the first matches found say nothing of.
 */
async function searchedPage(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) {
  const way = sql.raw(sorting.direction)
  const found = matching(ctx, criteria)
    .select([`claims.${sorting.column} as key`, 'claims.id'])
    .limit(sql.lit(SEARCH_COUNT_CAP + 1))
  const shown = listedClaims(seenBy(ctx))
    .innerJoin(sql<{ id: number; key: unknown; total: number }>`page`.as('page'), 'page.id', 'claims.id')
    // With the join alone PostgreSQL reads a small table whole.
    .where(sql<boolean>`claims.id = any(array(select id from page))`)
    .select('page.total')
    .orderBy(sql`page.key ${way} nulls last, page.id ${way}`)
  const { rows } = await sql<ListedClaim & { total: number }>`
    with found as materialized (${found}),
      page as (
        select id, key, (select count(*) from found) as total from found
        order by key ${way} nulls last, id ${way} limit ${sql.lit(slice.limit)} offset ${sql.lit(slice.skip)})
    ${shown}`.execute(ctx.db)
  const total = rows[0]?.total ?? (slice.skip === 0 ? 0 : await firstMatches(ctx, criteria))
  if (total <= SEARCH_COUNT_CAP) return { rows, total, total_is_exact: true }
  return { rows: await pageOf(ctx, criteria, sorting, slice), total: SEARCH_COUNT_CAP, total_is_exact: false }
}

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

/** A page of claims whose number is known from the totals by company, brand and state. */
async function coveredPage(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) {
  const scope = scopeIn(ctx.actor, criteria.company_id)
  const { state, brand_id } = criteria
  const companies = scope === 'all' ? sql`true` : sql`company_id = any(${[...scope]}::bigint[])`
  const brands = brand_id?.length ? isAnyOf('brand_id', brand_id) : sql`true`
  const states = state?.length ? isOneOf('state', CLAIM_STATES, state) : sql`true`
  const where = sql`where ${companies} and ${brands} and ${states}`
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(claims), 0)::int as total from (
      select claims from claim_totals ${where} union all select claims from claim_deltas ${where}) noted`.execute(
    ctx.db,
  )
  const total = rows[0]?.total ?? 0
  return {
    rows: await pageOf(ctx, criteria, sorting, { ...slice, total }),
    total,
    total_is_exact: true,
  }
}

/** A page of the claims in the caller's scope that match, with their number. */
export const readPage = (ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) =>
  (isCoveredByTotals(criteria) ? coveredPage : searchedPage)(ctx, criteria, sorting, slice)
