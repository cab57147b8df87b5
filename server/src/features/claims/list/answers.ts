import { type ClaimCriteria, REFUSED_CATEGORIES } from '@garantia/shared/claims/criteria'
import { REFUSAL_REASONS } from '@garantia/shared/claims/reasons'
import { sql } from 'kysely'
import { isOneOf, startOfDay } from '../../orders/list/service.ts'

const NONE = 'none'
type Condition = ReturnType<typeof sql<boolean>>

/** What the criteria ask of the answers to a claim, and of the technician of its order. */
export function answerConditions(criteria: ClaimCriteria): Condition[] {
  const found: Condition[] = []
  const refused = refusalConditions(criteria)
  const isRefused = sql<boolean>`exists (select from claim_refusals where claim_refusals.claim_id = claims.id
    and ${sql.join([sql`true`, ...refused], sql` and `)})`
  if (criteria.is_refused || refused.length > 0) found.push(isRefused)
  else if (criteria.is_refused === false) found.push(sql`not ${isRefused}`)
  const { first_answered_from, first_answered_until, is_first_accepted, technician } = criteria
  if (first_answered_from) found.push(sql`claims.first_answered_at >= ${startOfDay(first_answered_from)}`)
  if (first_answered_until) found.push(sql`claims.first_answered_at < ${startOfDay(first_answered_until, 1)}`)
  if (is_first_accepted !== undefined)
    found.push(
      is_first_accepted ? sql`claims.first_outcome = 'accepted'` : sql`claims.first_outcome <> 'accepted'`,
    )
  if (technician) {
    const ids = technician.filter((one) => one !== NONE).map(Number)
    found.push(
      sql`exists (select from service_orders worked where worked.id = claims.order_id
        and (worked.technician_user_id = any(${ids}::bigint[])
          or ${sql.lit(technician.includes(NONE))} and worked.technician_user_id is null))`,
    )
  }
  return found
}

function refusalConditions({ refused_from, refused_until, refusal_reason, refused_category }: ClaimCriteria) {
  const categories = refused_category?.filter((one) => one !== NONE) ?? []
  return [
    ...(refused_from ? [sql`claim_refusals.decided_at >= ${startOfDay(refused_from)}`] : []),
    ...(refused_until ? [sql`claim_refusals.decided_at < ${startOfDay(refused_until, 1)}`] : []),
    ...(refusal_reason?.length ? [isOneOf('claim_refusals.reason', REFUSAL_REASONS, refusal_reason)] : []),
    ...(refused_category?.length
      ? [
          sql`(${isOneOf('claim_refusals.evidence_category', REFUSED_CATEGORIES, categories)}
            or ${sql.lit(refused_category.includes(NONE))} and claim_refusals.evidence_category is null)`,
        ]
      : []),
  ]
}
