import type { ClaimCriteria, ClaimFilter, ClaimSort } from '@garantia/shared/claims/criteria'
import type { Direction } from '@garantia/shared/orders/criteria'
import type { Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type Seen, scopeIn, seenBy } from '../../../kernel/scope.ts'
import { type SearchWords, searchWords } from '../../orders/list/service.ts'
import { listedClaims } from '../claim/service.ts'
import { matching, matchingIn } from './criteria.ts'

export interface Sorting {
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
export const isInTwoParts = ({ column, direction }: Sorting) =>
  direction === 'desc' && (column === 'sent_at' || column === 'due_on')

export interface Slice {
  skip: number
  limit: number
  /** Number of matches. When known, pages in the second half are read from the other end. */
  total?: number | undefined
}
export type Part = 'dated' | 'undated'

/** The rows of one page; its ids are selected on an index of the sort before anything is joined. */
export async function pageOf(ctx: Ctx, criteria: ClaimCriteria, sorting: Sorting, slice: Slice) {
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
  const range = rangeOf(slice)
  if (range.size <= 0) return []
  const scope = scopeIn(ctx.actor, criteria.company_id)
  const { rows } = await cutOf({ db: ctx.db, scope }, criteria, sorting, range, {
    part,
    words: searchWords(ctx, criteria.search),
  }).execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  return range.isReversed ? ids.reverse() : ids
}

export interface Range {
  size: number
  offset: number
  isReversed: boolean
}
/** Where a page is in the index, which is read from the other end when that is nearer. */
export function rangeOf({ skip, limit, total }: Slice): Range {
  const isReversed = total !== undefined && skip > total / 2
  const size = total === undefined ? limit : Math.min(limit, total - skip)
  return { size, offset: isReversed ? total - skip - size : skip, isReversed }
}

const NO_WORDS: SearchWords = { patterns: [], numbers: [], limited: [] }
/** The query for the ids and sort keys of one page. */
export function cutOf(
  { db, scope }: Seen,
  criteria: ClaimCriteria,
  { column, direction }: Sorting,
  { size, offset, isReversed }: Range,
  { part, words = NO_WORDS }: { part?: Part | undefined; words?: SearchWords } = {},
) {
  const way = isReversed === (direction === 'asc') ? 'desc' : 'asc'
  const order = sql.raw(`key ${way}, id ${way}`)
  const parts = scopesToMerge(scope).map((scope) => {
    let one = matchingIn({ db, scope }, criteria, words)
    if (part) one = one.where(`claims.${column}`, part === 'dated' ? 'is not' : 'is', null)
    return one.select([`claims.${column} as key`, 'claims.id']).orderBy(order)
  })
  // Sorted and limited already, so that the database merges the parts instead of sorting their union.
  const merged = () =>
    sql.join(
      parts.map((one) => sql`(${one.limit(sql.lit(offset + size))})`),
      sql` union all `,
    )
  const [only] = parts
  const found = parts.length === 1 ? only : sql`select key, id from (${merged()}) found order by ${order}`
  return sql<{ id: number; key: unknown }>`
    ${found} limit ${sql.lit(size)} ${offset > 0 ? sql`offset ${sql.lit(offset)}` : sql``}`
}

const MAX_MERGED = 40
/** Each company of a caller has its own branch, since an index is sorted within one company. */
function scopesToMerge(scope: Scope): Scope[] {
  return scope === 'all' || scope.length < 2 || scope.length > MAX_MERGED
    ? [scope]
    : scope.map((company_id) => [company_id])
}

const count = async (found: ReturnType<typeof matching>) =>
  (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
