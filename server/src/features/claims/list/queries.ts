import type { ClaimCriteria, ClaimFilter } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES, CLAIM_TYPES } from '@garantia/shared/claims/state'
import { SEARCH_COUNT_CAP } from '@garantia/shared/orders/schema'
import type { Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn } from '../../../kernel/scope.ts'
import { isAnyOf, isOneOf, patternsOf } from '../../orders/list/service.ts'
import { visibleClaims } from '../claim/service.ts'
import { answerConditions, startOfDay } from './answers.ts'

/** A query for the claims in a scope that match the criteria. */
function matching(ctx: Ctx, criteria: ClaimCriteria, scope: Scope) {
  const { search, state, type, brand_id, sent_from, sent_until, due_until } = criteria
  let query = visibleClaims({ db: ctx.db, scope })
  if (state?.length) query = query.where(isOneOf('claims.state', CLAIM_STATES, state))
  if (type?.length) query = query.where(isOneOf('claims.type', CLAIM_TYPES, type))
  if (brand_id?.length) query = query.where(isAnyOf('claims.brand_id', brand_id))
  if (sent_from) query = query.where('claims.sent_at', '>=', startOfDay(sent_from))
  if (sent_until) query = query.where('claims.sent_at', '<', startOfDay(sent_until, 1))
  if (due_until) query = query.where(sql<boolean>`claims.due_on <= ${due_until}::date`)
  if (criteria.is_open !== undefined)
    query = query.where('claims.open_amount', criteria.is_open ? '>' : '<=', 0)
  if (criteria.is_overpaid !== undefined)
    query = query.where('claims.open_amount', criteria.is_overpaid ? '<' : '>=', 0)
  if (criteria.is_unappealed !== undefined)
    query = query.where((eb) => {
      const appealed = eb.exists(
        eb
          .selectFrom('claims as appeal')
          .whereRef('appeal.previous_id', '=', 'claims.id')
          .where('appeal.type', '=', 'appeal')
          .where('appeal.state', '<>', 'withdrawn')
          .select('appeal.id'),
      )
      return criteria.is_unappealed ? eb.not(appealed) : appealed
    })
  if (criteria.credited_from)
    query = query.where('claims.credited_at', '>=', startOfDay(criteria.credited_from))
  if (criteria.credited_until)
    query = query.where('claims.credited_at', '<', startOfDay(criteria.credited_until, 1))
  for (const condition of answerConditions(criteria)) query = query.where(condition)
  for (const pattern of patternsOf(search))
    query = query.where(sql<boolean>`claims.search like fold(${pattern})`)
  return query
}

const MAX_MERGED = 40
/**
 * The ids of one page, selected on an index of the sort before anything is joined. Each company of a caller has its own
 * branch, since an index is sorted within one company, and the database merges them.
 */
export async function pageOfIds(ctx: Ctx, filter: ClaimFilter, skip: number, limit: number) {
  const { sort = 'created_at', direction = sort === 'due_on' ? 'asc' : 'desc' } = filter
  const scope = scopeIn(ctx.actor, filter.company_id)
  const scopes =
    scope === 'all' || scope.length < 2 || scope.length > MAX_MERGED ? [scope] : scope.map((one) => [one])
  const order = sql.raw(`key ${direction}, id ${direction}`)
  const parts = scopes.map(
    (one) =>
      sql`(${matching(ctx, filter, one)
        .select([`claims.${sort} as key`, 'claims.id'])
        .orderBy(order)
        .limit(sql.lit(skip + limit))})`,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(parts, sql` union all `)}) found
    order by ${order} limit ${sql.lit(limit)} offset ${sql.lit(skip)}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Criteria that the totals by company, brand and state cover. */
const isCovered = ({ state: _, brand_id: __, company_id: ___, ...others }: ClaimCriteria) =>
  Object.values(others).every((value) => value === undefined || value === '')

/** The number of matches: exact from the totals where these cover the criteria, else counted up to 1 000 (D-55). */
export async function countClaims(ctx: Ctx, criteria: ClaimCriteria) {
  const scope = scopeIn(ctx.actor, criteria.company_id)
  if (isCovered(criteria)) {
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
    return { total: rows[0]?.total ?? 0, total_is_exact: true }
  }
  const { total } = await ctx.db
    .selectFrom(
      matching(ctx, criteria, scope)
        .select('claims.id')
        .limit(sql.lit(SEARCH_COUNT_CAP + 1))
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { total: Math.min(total, SEARCH_COUNT_CAP), total_is_exact: total <= SEARCH_COUNT_CAP }
}
