import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import {
  PROPOSAL_DAYS,
  PROPOSAL_LEAST,
  type RuleProposal,
  type RuleProposals,
} from '@garantia/shared/claims/reports'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { counted, daysBefore, isoDay } from '@garantia/shared/format'
import { authorize } from '@garantia/shared/policy'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { scopeOf, within } from '../../../kernel/scope.ts'
import { startOfDay } from '../../orders/list/service.ts'

interface Found {
  brand_id: number
  display_name: string
  required_categories: RequiredCategory[]
  reason: RefusalReason
  evidence_category: EvidenceCategory
  lines: number
  of_reason: number
}

/**
 * What the refusals of the last 30 days in the caller's scope suggest to ask for in the rules of each brand: a category
 * that was missing at least three times, and that its checklist does not ask for. Nothing changes until a person saves
 * the rules. Refuses an anonymous caller with 401.
 */
export async function proposeRules(ctx: Ctx): Promise<RuleProposals> {
  authorize(ctx.actor, 'claim.list')
  const since = daysBefore(isoDay(ctx.clock()), PROPOSAL_DAYS)
  const { rows } = await sql<Found>`
    with refused as (
      select brand_id, reason, evidence_category from claim_refusals
      where reason = 'evidence_missing' and decided_at >= ${startOfDay(since)}
        and order_deleted_at is null and ${within(scopeOf(ctx.actor), 'claim_refusals.company_id')}),
    counted as (
      select brand_id, reason, evidence_category, count(*)::int as lines,
        sum(count(*)) over (partition by brand_id, reason)::int as of_reason
      from refused group by brand_id, reason, evidence_category)
    select counted.*, brands.display_name, brands.required_categories
    from counted join brands on brands.id = brand_id
    where evidence_category is not null and lines >= ${PROPOSAL_LEAST} and brands.is_active
    order by lines desc, display_name, evidence_category`.execute(ctx.db)
  const data = rows.flatMap((row): RuleProposal[] => {
    const { brand_id, display_name, reason, evidence_category: category, lines, of_reason } = row
    const min = row.required_categories.find((one) => one.category === category)?.min ?? 0
    return min > 0
      ? []
      : [
          {
            brand: { id: brand_id, display_name },
            ...{ reason, category, refusals: of_reason, of_category: lines, min, proposed_min: 1 },
            text: textOf(row),
            criteria: {
              brand_id: String(brand_id),
              refusal_reason: reason,
              refused_category: category,
              refused_from: since,
              is_refused: true,
            },
          },
        ]
  })
  return { data, count: data.length }
}

/** «Recusas por evidência ausente na Toyota: 7 em 30 dias, 5 por falta de Causa. Exigir?» */
const textOf = ({ display_name, reason, evidence_category, lines, of_reason }: Found) => {
  const why = REASONS[reason].label.toLowerCase()
  const missing = `${lines} por falta de ${EVIDENCE_CATEGORY[evidence_category]}`
  return `Recusas por ${why} na ${display_name}: ${of_reason} em ${counted(PROPOSAL_DAYS, 'dia', 'dias')}, ${missing}. Exigir?`
}
