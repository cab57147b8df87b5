import { type ClaimCriteria, REFUSED_CATEGORIES } from '@garantia/shared/claims/criteria'
import { REFUSAL_REASONS } from '@garantia/shared/claims/reasons'
import { sql } from 'kysely'
import { isOneOf, startOfDay } from '../../orders/list/service.ts'

/** Of `claim_decisions` under the name `decision`: no other one corrects it. */
export const isInForce = sql`
  not exists (select from claim_decisions correction where correction.corrects_id = decision.id)`

/** Lines that the answers in force have refused, whole or in part, as `decision`, `answer` and `line`. */
export const refusedLines = (joined = sql``) => sql`
  claim_decisions decision
  join claim_decision_lines answer on answer.decision_id = decision.id
  join claim_lines line on line.id = answer.line_id ${joined}
  where decision.outcome in ('partial', 'rejected') and answer.authorised < line.claimed and ${isInForce}`

const NONE = 'none'
type Condition = ReturnType<typeof sql<boolean>>

/** What the criteria ask of the answers to a claim, and of the technician of its order. */
export function answerConditions(criteria: ClaimCriteria): Condition[] {
  const found: Condition[] = []
  const refused = refusalConditions(criteria)
  if (criteria.is_refused || refused.length > 0)
    found.push(
      sql`exists (select from ${refusedLines()} and decision.claim_id = claims.id
        and ${sql.join([sql`true`, ...refused], sql` and `)})`,
    )
  else if (criteria.is_refused === false)
    found.push(sql`not exists (select from ${refusedLines()} and decision.claim_id = claims.id)`)
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
    ...(refused_from ? [sql`decision.decided_at >= ${startOfDay(refused_from)}`] : []),
    ...(refused_until ? [sql`decision.decided_at < ${startOfDay(refused_until, 1)}`] : []),
    ...(refusal_reason?.length ? [isOneOf('answer.reason', REFUSAL_REASONS, refusal_reason)] : []),
    ...(refused_category?.length
      ? [
          sql`(${isOneOf('answer.evidence_category', REFUSED_CATEGORIES, categories)}
            or ${sql.lit(refused_category.includes(NONE))} and answer.evidence_category is null)`,
        ]
      : []),
  ]
}
