import { isMasked } from '@garantia/shared/br/mask'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import {
  SUBMISSION_FIELD,
  SUBMISSION_FIELDS,
  type SubmissionField,
} from '@garantia/shared/claims/brand-rules'
import type { ClaimView } from '@garantia/shared/claims/schema'
import type { LineKind } from '@garantia/shared/claims/state'
import { brl, date } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { lineFacts } from './claim-words.ts'

export interface PortalField {
  name: SubmissionField
  label: string
  text: string
  /** The order's field that has to be shown whole before it is copied, which the security log notes. */
  masked: 'vehicle_chassis' | 'customer_document' | null
}

/** What a brand asks of a claim, in its order; all that is known where the brand names nothing. */
export function portalFieldsOf(
  order: OrderView,
  claim: ClaimView,
  asked: readonly SubmissionField[],
): PortalField[] {
  const texts = textsOf(order, claim)
  return (asked.length > 0 ? asked : SUBMISSION_FIELDS).flatMap((name) => {
    const text = texts[name]
    if (!text) return []
    // The chassis is shown by its end alone, as on the order's page.
    const isHidden = name === 'vehicle_chassis' || (name === 'customer_document' && isMasked(text))
    return [{ name, label: SUBMISSION_FIELD[name], text, masked: isHidden ? name : null }]
  })
}

const textsOf = (order: OrderView, claim: ClaimView): Record<SubmissionField, string | null> => {
  const lines = (kind: LineKind) =>
    claim.lines
      .filter((line) => line.kind === kind)
      .map((line) => [line.description, lineFacts(line), brl(line.claimed)].join('\t'))
      .join('\n')
  return {
    os_number: order.os_number,
    vehicle_chassis: order.vehicle_chassis && maskChassis(order.vehicle_chassis),
    vehicle_plate: order.vehicle_plate && formatPlate(order.vehicle_plate),
    vehicle_mileage: order.vehicle_mileage === null ? null : String(order.vehicle_mileage),
    opened_at: date(order.opened_at),
    completed_at: order.completed_at && date(order.completed_at),
    customer_name: order.customer_name,
    customer_document: order.customer_document && formatTaxId(order.customer_document),
    problem_description: order.problem_description,
    solution_applied: order.solution_applied,
    parts: lines('part'),
    labour: lines('labour'),
    third_party: lines('third_party'),
    claimed: brl(claim.claimed),
  }
}
