import { legalClock, zoneOf } from '@garantia/shared/claims/legal-clock'
import { calendarDaysBetween } from '@garantia/shared/format'
import { isUnderLegalHold } from '@garantia/shared/orders/hold'
import { masked, seesListsWhole } from '@garantia/shared/orders/masking'
import type { OrderRow, OrderView, TransitionView } from '@garantia/shared/orders/schema'
import type { Ctx } from '../../../kernel/context.ts'
import type { ListedRow, ShownRow } from './queries.ts'

/**
 * Calendar days in São Paulo since the opening; they stop when the order is completed or cancelled (D-13).
 */
const daysOpen = (row: ListedRow, now: Date) =>
  Math.max(0, calendarDaysBetween(row.opened_at, row.completed_at ?? row.cancelled_at ?? now))

/**
 * Days of the legal limit, over all visits for the same defect; an order that is linked to no other is the only visit.
 */
function legalDays(row: ListedRow, now: Date) {
  const visits = row.linked_visits?.map(({ from, until }) => ({
    from: new Date(from),
    until: until === null ? null : new Date(until),
  }))
  if (!visits) return { legal_days: daysOpen(row, now), legal_visits: 1 }
  const { days } = legalClock(visits, now, zoneOf(row.federal_state))
  return { legal_days: days, legal_visits: visits.length }
}

/** Orders as rows of the list, masked for whoever does not see lists whole. */
export function presentRows({ actor, clock }: Pick<Ctx, 'actor' | 'clock'>, rows: readonly ListedRow[]) {
  const now = clock()
  const isWhole = seesListsWhole(actor)
  return rows.map((row) => {
    const shown = wholeRow(row, now)
    return isWhole ? shown : masked(shown)
  })
}

const wholeRow = (row: ListedRow, now: Date): OrderRow => ({
  id: row.id,
  os_number: row.os_number,
  brand_id: row.brand_id,
  brand: { id: row.brand_id, display_name: row.display_name },
  company_id: row.company_id,
  company: { id: row.company_id, trading_name: row.trading_name, company_name: row.legal_name },
  status: row.status,
  conversion_status: row.conversion_status,
  conversion_progress: row.conversion_progress,
  opened_at: row.opened_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  days_open: daysOpen(row, now),
  ...legalDays(row, now),
  claim: row.claim,
  is_held: isUnderLegalHold(row),
  vehicle_model: row.vehicle_model,
  vehicle_year: row.vehicle_year,
  vehicle_plate: row.vehicle_plate,
  vehicle_chassis: row.vehicle_chassis,
  customer_name: row.customer_name,
  customer_phone: row.customer_phone,
  customer_document: row.customer_document,
  technician_name: row.technician_name,
  technician_user_id: row.technician_user_id,
  created_by: row.created_by,
  responsible_user_id: row.responsible_user_id,
  responsible_name: row.responsible_name,
  total_value: row.total_value,
})

/** An order, whole, with all its fields and the entries of its status menu. */
export const presentOrder = (row: ShownRow, now: Date, allowed_transitions: TransitionView[]): OrderView => ({
  ...wholeRow(row, now),
  version: row.version,
  vehicle_color: row.vehicle_color,
  vehicle_mileage: row.vehicle_mileage,
  vehicle_value: row.vehicle_value,
  customer_email: row.customer_email,
  problem_description: row.problem_description,
  diagnosis: row.diagnosis,
  solution_applied: row.solution_applied,
  parts_replaced: row.parts_replaced,
  service_value: row.service_value,
  parts_value: row.parts_value,
  allowed_transitions,
})
