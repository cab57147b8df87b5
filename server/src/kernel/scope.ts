import type { Actor, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'

/** Companies whose rows the caller may see; the system sees all, a stranger none. */
export const scopeOf = (actor: Actor): Scope =>
  actor.kind === 'system' ? 'all' : actor.kind === 'user' ? actor.scope : []

/**
 * The one predicate of company scope (D-39). Every query that returns company rows carries it, so that a
 * row out of scope is absent, not forbidden.
 */
export function inScope(
  actor: Actor,
  column: 'service_orders.company_id' | 'companies.id' | 'order_counts.company_id' | 'users.company_id',
) {
  const scope = scopeOf(actor)
  const reference = sql.ref(column)
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`${reference} = any(${[...scope]}::bigint[])`
}
