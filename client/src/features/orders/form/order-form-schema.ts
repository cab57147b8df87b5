import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { date, dayIn } from '@garantia/shared/format'
import {
  dialogOrderInput,
  OPENED_IN_FUTURE,
  type OrderInput,
  type OrderView,
  orderInput,
} from '@garantia/shared/orders/schema'
import { z } from 'zod'
import { chosen, formOf } from '../../../lib/forms.ts'
import { maskedMileage, maskedMoney, mileageIn, moneyIn } from '../../../ui/form/masks.ts'

/** Output of the form; the opening date only applies to an existing order (D-13). */
export type OrderEntry = OrderInput & { opened_at?: string | undefined }
/** Form state: text as typed, masks included. */
export type OrderFields = Record<keyof OrderEntry | 'status', string>

/** Form fields as the shared input, which validates them and gives the messages. */
const inputOf = (fields: OrderFields) => ({
  ...fields,
  brand_id: chosen(fields.brand_id),
  company_id: chosen(fields.company_id),
  vehicle_year: chosen(fields.vehicle_year) ?? null,
  vehicle_mileage: mileageIn(fields.vehicle_mileage),
  vehicle_value: moneyIn(fields.vehicle_value),
  service_value: moneyIn(fields.service_value),
  parts_value: moneyIn(fields.parts_value),
  technician_user_id: chosen(fields.technician_user_id) ?? null,
  responsible_user_id: chosen(fields.responsible_user_id) ?? null,
  opened_at: dayIn(fields.opened_at)?.toISOString(),
})

function wrongDay({ opened_at }: OrderFields) {
  if (opened_at === '') return null
  const day = dayIn(opened_at)
  if (!day) return 'Data inválida (dd/mm/aaaa)'
  return day > new Date() ? OPENED_IN_FUTURE : null
}

const opening = { opened_at: z.string().optional() }
const formWith = (input: z.ZodType<OrderEntry>) =>
  formOf<OrderFields, OrderEntry>(input, inputOf, (fields) => ({ opened_at: wrongDay(fields) }))
/** The pages require three fields, the dialog seven (D-14). */
export const pageForm = formWith(orderInput.extend(opening))
export const dialogForm = formWith(dialogOrderInput.extend(opening))

/** Form values of an order; blank for a new one. */
export const fieldsOf = (order: Partial<OrderView> = {}): OrderFields => ({
  os_number: order.os_number ?? '',
  brand_id: order.brand_id?.toString() ?? '',
  company_id: order.company_id?.toString() ?? '',
  status: order.status ?? '',
  opened_at: order.opened_at ? date(order.opened_at) : '',
  problem_description: order.problem_description ?? '',
  diagnosis: order.diagnosis ?? '',
  solution_applied: order.solution_applied ?? '',
  parts_replaced: order.parts_replaced ?? '',
  technician_name: order.technician_name ?? '',
  technician_user_id: order.technician_user_id?.toString() ?? '',
  responsible_user_id: order.responsible_user_id?.toString() ?? '',
  service_value: maskedMoney(order.service_value ?? null),
  parts_value: maskedMoney(order.parts_value ?? null),
  customer_name: order.customer_name ?? '',
  customer_phone: formatPhone(order.customer_phone ?? ''),
  customer_email: order.customer_email ?? '',
  customer_document: formatTaxId(order.customer_document ?? ''),
  vehicle_model: order.vehicle_model ?? '',
  vehicle_year: order.vehicle_year?.toString() ?? '',
  vehicle_color: order.vehicle_color ?? '',
  vehicle_plate: formatPlate(order.vehicle_plate ?? ''),
  vehicle_mileage: maskedMileage(order.vehicle_mileage ?? null),
  vehicle_chassis: order.vehicle_chassis ?? '',
  vehicle_value: maskedMoney(order.vehicle_value ?? null),
})
export const FIELD_NAMES = Object.keys(fieldsOf()) as (keyof OrderFields)[]

/** MOD-1: the tabs of the dialog and their fields, in reading order. */
export const ORDER_FORM_TABS = [
  {
    id: 'main',
    title: 'Informações Principais',
    fields: FIELD_NAMES.slice(0, FIELD_NAMES.indexOf('customer_name')),
  },
  {
    id: 'people',
    title: 'Cliente e Veículo',
    fields: FIELD_NAMES.slice(FIELD_NAMES.indexOf('customer_name')),
  },
] as const
export type OrderFormTab = (typeof ORDER_FORM_TABS)[number]['id']

/** MOD-2: fields required before the first tab can be left. */
export const FIRST_TAB_REQUIRED = ['brand_id', 'company_id', 'problem_description'] as const

/** The fields in page order: the vehicle before the customer, then the service (NEW-1, EDP-1). */
const between = (name: keyof OrderFields, end?: keyof OrderFields) =>
  FIELD_NAMES.slice(FIELD_NAMES.indexOf(name), end && FIELD_NAMES.indexOf(end))
export const PAGE_FIELDS = [
  ...between('os_number', 'problem_description'),
  ...between('vehicle_model'),
  ...between('customer_name', 'vehicle_model'),
  ...between('problem_description', 'customer_name'),
]
