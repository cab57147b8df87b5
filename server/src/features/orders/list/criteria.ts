import { TIME_ZONE } from '@garantia/shared/format'
import type { OrderCriteria } from '@garantia/shared/orders/schema'
import { CONVERSION_STATUSES, ORDER_STATUSES } from '@garantia/shared/orders/status'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeIn, within } from '../../../kernel/scope.ts'

/**
 * The LIKE pattern of one search word. Punctuation of masks is removed (529.982.247-25, ABC-1234) when the
 * word has a digit; a hyphen in a surname stays. Words of one or two letters have no inner trigram, so they
 * match only the start of a word.
 */
function pattern(word: string) {
  const bare = /\d/.test(word) ? word.replace(/[.\-/()]/g, '') : word
  const literal = bare.replace(/[\\%_]/g, '\\$&')
  return bare.length < 3 ? `% ${literal}%` : `%${literal}%`
}
const wordsOf = (search = '') => search.split(/\s+/).filter((word) => word.replace(/[.\-/()]/g, '') !== '')

/** Whether the criteria contain a search word. */
export const isSearch = ({ search }: OrderCriteria) => wordsOf(search).length > 0

/** Whether counts can be read from the sums, which are kept per company, brand and status. */
export const isCoveredByTotals = (criteria: OrderCriteria) =>
  !isSearch(criteria) && !criteria.conversion_status?.length && criteria.min_days_open === undefined

/**
 * Written as literals, in one order and each once: a plan that is kept is one for these values, which are of very
 * unequal number, and can use a partial index.
 */
export const isOneOf = <T extends string>(column: string, all: readonly T[], chosen: readonly T[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(all.filter((one) => chosen.includes(one)).map((one) => sql.lit(one)))})`

/**
 * A query for the orders in the caller's scope, not deleted, that match the criteria. Days open are counted
 * to the end of the calendar day in São Paulo and only for orders that are not closed.
 */
export function matching(ctx: Ctx, criteria: OrderCriteria, scope = scopeIn(ctx.actor, criteria.company_id)) {
  const { search, status, brand_id, conversion_status, min_days_open } = criteria
  let query = ctx.db
    .selectFrom('service_orders')
    .where('service_orders.deleted_at', 'is', null)
    .where(within(scope, 'service_orders.company_id'))
  if (status?.length) query = query.where(isOneOf('service_orders.status', ORDER_STATUSES, status))
  if (brand_id) query = query.where('service_orders.brand_id', '=', brand_id)
  if (conversion_status?.length)
    query = query.where(isOneOf('conversion_status', CONVERSION_STATUSES, conversion_status))
  if (min_days_open !== undefined)
    query = query
      .where(sql<boolean>`service_orders.status not in ('completed', 'cancelled')`)
      .where('service_orders.opened_at', '<', endOfDay(ctx.clock(), min_days_open))
  for (const word of wordsOf(search))
    query = query.where(sql<boolean>`service_orders.search like fold(${pattern(word)})`)
  return query
}

/** The end of the calendar day `daysAgo` days ago, in São Paulo. */
const endOfDay = (now: Date, daysAgo: number) => sql<Date>`
  (((${now}::timestamptz at time zone ${sql.lit(TIME_ZONE)})::date + (1 - ${daysAgo}::int))::timestamp
    at time zone ${sql.lit(TIME_ZONE)})`
