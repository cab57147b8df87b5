import { formatPlate } from '@garantia/shared/br/vehicle'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { LINE_KIND } from '@garantia/shared/claims/state'
import { brl, date } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { lineFacts } from './claim-words.ts'

interface PortalField {
  label: string
  /** Null where the order does not say it. */
  text: string | null
}

/** What a brand's portal asks of a claim, in the order in which most ask it. */
export function portalFieldsOf(order: OrderView, claim: ClaimView): PortalField[] {
  const causal = claim.lines.find(({ is_causal }) => is_causal)
  return [
    { label: 'OS', text: order.os_number },
    { label: 'Placa', text: order.vehicle_plate && formatPlate(order.vehicle_plate) },
    { label: 'Modelo', text: order.vehicle_model },
    { label: 'Ano', text: order.vehicle_year === null ? null : String(order.vehicle_year) },
    { label: 'Quilometragem', text: order.vehicle_mileage === null ? null : String(order.vehicle_mileage) },
    { label: 'Abertura', text: date(order.opened_at) },
    { label: 'Conclusão', text: order.completed_at && date(order.completed_at) },
    { label: 'Problema', text: order.problem_description },
    { label: 'Diagnóstico', text: order.diagnosis },
    { label: 'Solução', text: order.solution_applied },
    {
      label: 'Peça causal',
      text: causal ? [causal.part_number, causal.description].filter(Boolean).join(' ') : null,
    },
    {
      label: 'Itens',
      text: claim.lines
        .map((line) =>
          [LINE_KIND[line.kind], line.description, lineFacts(line), brl(line.claimed)].join('\t'),
        )
        .join('\n'),
    },
    { label: 'Total', text: brl(claim.claimed) },
  ]
}
