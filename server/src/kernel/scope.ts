import type { Actor, Scope } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from './context.ts'
import type { Db } from './strict-writes.ts'

/** Companies whose rows the caller may see: all for the system, none for an anonymous caller. */
export const scopeOf = (actor: Actor): Scope =>
  actor.kind === 'system' ? 'all' : actor.kind === 'user' ? actor.scope : []

/** The caller's scope narrowed to some companies, if given; those outside it are left out. */
export function scopeIn(actor: Actor, company_ids: readonly number[] | undefined): Scope {
  const scope = scopeOf(actor)
  if (company_ids === undefined) return scope
  return scope === 'all' ? company_ids : company_ids.filter((id) => scope.includes(id))
}

/** The database with the companies whose rows are read. */
export interface Seen {
  db: Db
  scope: Scope
}
export const seenBy = ({ db, actor }: Pick<Ctx, 'db' | 'actor'>): Seen => ({ db, scope: scopeOf(actor) })

/** A scope as a value of a prepared query: absent for all companies. */
export const companiesIn = (scope: Scope) => (scope === 'all' ? undefined : scope)

type CompanyColumn =
  | 'service_orders.company_id'
  | 'companies.id'
  | 'order_deltas.company_id'
  | 'order_imports.company_id'
  | 'claims.company_id'
  | 'claim_refusals.company_id'
  | 'remittances.company_id'
  | 'remittance_lines.company_id'
  | 'users.company_id'

/**
 * The predicate of company scope (D-39). Every query that returns rows of companies applies it, so that a row
 * outside the scope is not found (404) instead of forbidden (403).
 */
export const inScope = (actor: Actor, column: CompanyColumn) => within(scopeOf(actor), column)

/** The SQL condition that a company column lies within a scope. */
export function within(scope: Scope, column: CompanyColumn) {
  const reference = sql.ref(column)
  if (scope === 'all') return sql<boolean>`true`
  // An index on the company returns rows in order for an equality, not for `any` of one element.
  return scope.length === 1
    ? sql<boolean>`${reference} = ${scope[0]}`
    : sql<boolean>`${reference} = any(${[...scope]}::bigint[])`
}
