import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { type OrderInput, orderInput } from '@garantia/shared/orders/schema'
import { z } from 'zod'
import { chosen } from '../../lib/forms.ts'
import { maskedMileage, maskedMoney, mileageIn, moneyIn } from '../../ui/masks.ts'

/** What the fields of the form hold: text as it was typed, masks included. */
export type OrderFields = Record<Exclude<keyof OrderInput, 'technician_user_id'>, string>

/** Typed text becomes the shared input, whose rules and words then decide. No rule is written here. */
export const orderForm = z.preprocess(
  (fields: OrderFields) => ({
    ...fields,
    brand_id: chosen(fields.brand_id),
    company_id: chosen(fields.company_id),
    vehicle_year: chosen(fields.vehicle_year),
    vehicle_mileage: mileageIn(fields.vehicle_mileage),
    vehicle_value: moneyIn(fields.vehicle_value),
    service_value: moneyIn(fields.service_value),
    parts_value: moneyIn(fields.parts_value),
  }),
  orderInput,
)

/** The fields as an order, or nothing yet, fills them. */
export const fieldsOf = (order: Partial<OrderInput> = {}): OrderFields => ({
  os_number: order.os_number ?? '',
  brand_id: order.brand_id?.toString() ?? '',
  company_id: order.company_id?.toString() ?? '',
  vehicle_model: order.vehicle_model ?? '',
  vehicle_year: order.vehicle_year?.toString() ?? '',
  vehicle_color: order.vehicle_color ?? '',
  vehicle_plate: formatPlate(order.vehicle_plate ?? ''),
  vehicle_chassis: order.vehicle_chassis ?? '',
  vehicle_mileage: maskedMileage(order.vehicle_mileage ?? null),
  vehicle_value: maskedMoney(order.vehicle_value ?? null),
  customer_name: order.customer_name ?? '',
  customer_email: order.customer_email ?? '',
  customer_phone: formatPhone(order.customer_phone ?? ''),
  customer_document: formatTaxId(order.customer_document ?? ''),
  technician_name: order.technician_name ?? '',
  problem_description: order.problem_description ?? '',
  diagnosis: order.diagnosis ?? '',
  solution_applied: order.solution_applied ?? '',
  parts_replaced: order.parts_replaced ?? '',
  service_value: maskedMoney(order.service_value ?? null),
  parts_value: maskedMoney(order.parts_value ?? null),
})

export const FIELD_NAMES = Object.keys(fieldsOf()) as (keyof OrderFields)[]
