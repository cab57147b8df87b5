import type { ClaimCriteria } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES, CLAIM_TYPES } from '@garantia/shared/claims/state'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { type Seen, scopeIn } from '../../../kernel/scope.ts'
import {
  areFoundOpenly,
  containsWords,
  hasWords,
  isAnyOf,
  isOneOf,
  type Searching,
  type SearchWords,
  searchWords,
  startOfDay,
} from '../../orders/list/service.ts'
import { visibleClaims } from '../claim/service.ts'
import { answerConditions } from './answers.ts'

const hasOnly = (criteria: ClaimCriteria, names: readonly (keyof ClaimCriteria)[]) =>
  Object.entries(criteria).every(
    ([name, value]) => value === undefined || (names as readonly string[]).includes(name),
  )

/** Whether the totals by company, brand and state cover the criteria. */
export const isCoveredByTotals = ({ search, ...criteria }: ClaimCriteria) =>
  !hasWords(search) && hasOnly(criteria, ['state', 'brand_id', 'company_id'])

/** Whether a query is prepared: callers have these without many forms, but days and technicians without number. */
export const isPreparable = (criteria: ClaimCriteria) =>
  hasOnly(criteria, ['search', 'state', 'type', 'brand_id', 'company_id', 'is_open', 'is_overpaid'])

/** A query for the claims in a scope that match the criteria. Days are those of São Paulo. */
export const matching = (
  ctx: Searching & Pick<Ctx, 'db'>,
  criteria: ClaimCriteria,
  scope = scopeIn(ctx.actor, criteria.company_id),
) => matchingIn({ db: ctx.db, scope }, criteria, searchWords(ctx, criteria.search))

/** The same with the words of the search given. */
export function matchingIn(seen: Seen, criteria: ClaimCriteria, words: SearchWords) {
  const { state, type, brand_id, sent_from, sent_until, due_until, is_open, is_unappealed } = criteria
  let query = visibleClaims(seen)
  if (state?.length) query = query.where(isOneOf('claims.state', CLAIM_STATES, state))
  if (type?.length) query = query.where(isOneOf('claims.type', CLAIM_TYPES, type))
  if (brand_id?.length) query = query.where(isAnyOf('claims.brand_id', brand_id))
  if (sent_from) query = query.where('claims.sent_at', '>=', startOfDay(sent_from))
  if (sent_until) query = query.where('claims.sent_at', '<', startOfDay(sent_until, 1))
  if (due_until) query = query.where(sql<boolean>`claims.due_on <= ${due_until}::date`)
  if (is_open !== undefined) query = query.where('claims.open_amount', is_open ? '>' : '<=', 0)
  if (criteria.is_overpaid !== undefined)
    query = query.where('claims.open_amount', criteria.is_overpaid ? '<' : '>=', 0)
  if (criteria.credited_from)
    query = query.where('claims.credited_at', '>=', startOfDay(criteria.credited_from))
  if (criteria.credited_until)
    query = query.where('claims.credited_at', '<', startOfDay(criteria.credited_until, 1))
  for (const condition of answerConditions(criteria)) query = query.where(condition)
  if (is_unappealed !== undefined) {
    query = query.where((eb) => {
      const appealed = eb.exists(
        eb
          .selectFrom('claims as appeal')
          .whereRef('appeal.previous_id', '=', 'claims.id')
          .where('appeal.type', '=', 'appeal')
          .where('appeal.state', '<>', 'withdrawn')
          .select('appeal.id'),
      )
      return is_unappealed ? eb.not(appealed) : appealed
    })
    if (is_unappealed) query = query.where(isOneOf('claims.state', CLAIM_STATES, ['rejected', 'partial']))
  }
  if (words.patterns.length > 0) query = query.where(containsWords('claims.search', words))
  if (words.limited.length > 0)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('service_orders')
          .whereRef('service_orders.id', '=', 'claims.order_id')
          .where(areFoundOpenly(words.limited, sql`claims.brand_number`))
          .select('service_orders.id'),
      ),
    )
  return query
}
