import { Button } from '@blueprintjs/core'
import { REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { dayText } from '@garantia/shared/format'
import { chosenOf } from '../../../lib/search-fields.ts'
import { claimCriteriaOf } from './claim-criteria.ts'
import { type ClaimFilters, NO_REPORT_FILTER } from './claims-search.ts'
import type { ClaimsState } from './claims-state.ts'

/** Says by which figure of a report the list is filtered, which no filter of the list shows; nothing without one. */
export function ReportFilter({ list }: { list: ClaimsState }) {
  const told = toldOf(list.state)
  if (told.length === 0) return null
  return (
    <p className="claims-report-filter">
      <span>Filtro de um relatório: {told.join(', ')}.</span>
      <Button
        size="small"
        variant="minimal"
        text="Remover este filtro"
        onClick={() => list.filterBy(NO_REPORT_FILTER)}
      />
    </p>
  )
}

const between = (from: string | undefined, until: string | undefined) =>
  [from && ` ${until ? 'de' : 'desde'} ${dayText(from)}`, until && ` até ${dayText(until)}`]
    .filter(Boolean)
    .join('')

function toldOf(state: ClaimFilters) {
  const now = claimCriteriaOf(state)
  const reasons = chosenOf(now.refusal_reason ?? '').map((one) => REASONS[one as RefusalReason].label)
  const categories = chosenOf(now.refused_category ?? '').map((one) =>
    one === 'none' ? 'sem categoria' : EVIDENCE_CATEGORY[one as EvidenceCategory],
  )
  const isRefused = now.is_refused || now.refused_from || now.refused_until || reasons.length > 0
  return [
    now.is_overpaid && 'pagas a mais',
    isRefused && `recusadas${between(now.refused_from, now.refused_until)}`,
    ...reasons,
    ...categories,
    now.technician && 'de um técnico',
    (now.first_answered_from || now.first_answered_until) &&
      `primeira resposta${between(now.first_answered_from, now.first_answered_until)}`,
    now.is_first_accepted && 'aceitas na primeira vez',
    (now.credited_from || now.credited_until) &&
      `creditadas${between(now.credited_from, now.credited_until)}`,
  ].filter((one) => typeof one === 'string')
}
