import type { Actor, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'

/** Companies whose rows the caller may see; the system sees all, a stranger none. */
export const scopeOf = (actor: Actor): Scope =>
  actor.kind === 'system' ? 'all' : actor.kind === 'user' ? actor.scope : []

/** The same, narrowed to one company when the caller names one; to none when they may not see it. */
export function scopeIn(actor: Actor, company_id: number | undefined): Scope {
  const scope = scopeOf(actor)
  if (company_id === undefined) return scope
  return scope === 'all' || scope.includes(company_id) ? [company_id] : []
}

type CompanyColumn =
  | 'service_orders.company_id'
  | 'companies.id'
  | 'order_deltas.company_id'
  | 'users.company_id'

/**
 * The one predicate of company scope (D-39). Every query that returns company rows carries it, so that a
 * row out of scope is absent, not forbidden.
 */
export const inScope = (actor: Actor, column: CompanyColumn) => within(scopeOf(actor), column)

export function within(scope: Scope, column: CompanyColumn) {
  const reference = sql.ref(column)
  if (scope === 'all') return sql<boolean>`true`
  // An index on the company gives rows in order for an equality, not for a list of one.
  return scope.length === 1
    ? sql<boolean>`${reference} = ${scope[0]}`
    : sql<boolean>`${reference} = any(${[...scope]}::bigint[])`
}
