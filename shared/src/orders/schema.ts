import { z } from 'zod'
import { isPhone } from '../br/phone.ts'
import { bareTaxId, isCustomerDocument } from '../br/tax-id.ts'
import { barePlate, FIRST_VEHICLE_YEAR, isChassis, isTypedPlate, lastVehicleYear } from '../br/vehicle.ts'
import { id, nullWhenBlank, optionalText, paging, text } from '../fields.ts'
import { CONVERSION_STATUSES, ORDER_STATUSES, type OrderStatus } from './status.ts'

/** Limits of D-51. */
const MONEY_MAX = 999_999_999.99
const MILEAGE_MAX = 2_000_000
const TEXT_MAX = 5_000

const money = z
  .number('Deve ser um valor em reais')
  .min(0, 'O valor não pode ser negativo')
  .max(MONEY_MAX, 'Valor acima do máximo permitido')
  .refine(
    (value) => Math.abs(Math.round(value * 100) - value * 100) < 1e-4,
    'Use no máximo duas casas decimais',
  )
  .nullable()
  .optional()

const vehicleYear = z
  .number('Deve ser um ano')
  .int('Deve ser um ano')
  .min(FIRST_VEHICLE_YEAR, `O ano deve ser a partir de ${FIRST_VEHICLE_YEAR}`)
  .refine((year) => year <= lastVehicleYear(new Date()), 'O ano não pode passar do próximo ano')

const plate = nullWhenBlank(
  text(20)
    .refine((value) => value === '' || isTypedPlate(value), 'Formato inválido de placa')
    .transform(barePlate),
)
const chassis = nullWhenBlank(
  text(40)
    .transform((value) => value.toUpperCase())
    .refine((value) => value === '' || isChassis(value), 'Chassi deve ter 17 caracteres'),
)
const document = nullWhenBlank(
  text(40)
    .transform(bareTaxId)
    .refine((value) => value === '' || isCustomerDocument(value), 'CPF/CNPJ inválido'),
)
const email = nullWhenBlank(
  text(255).refine((value) => value === '' || z.email().safeParse(value).success, 'Email inválido'),
)
const phone = nullWhenBlank(text(30).refine((value) => value === '' || isPhone(value), 'Telefone inválido'))

export const osNumber = z
  .string('Número da OS é obrigatório')
  .trim()
  .min(1, { error: 'Número da OS é obrigatório', abort: true })
  .regex(/^\d{6}$/, 'Número da OS deve ter 6 dígitos')

/**
 * What opens an order. Three fields are required (D-14); a sent `total_value` is ignored, because the
 * database computes it (D-12). No `.default()` here: `.partial()` would bring it back and erase data.
 */
export const orderInput = z.object({
  os_number: osNumber,
  brand_id: z
    .number('Marca é obrigatória')
    .int('Selecione uma marca')
    .positive('Selecione uma marca')
    .max(999_999_999_999_999, 'Selecione uma marca'),
  company_id: z
    .number('Empresa é obrigatória')
    .int('Selecione uma empresa')
    .positive('Selecione uma empresa')
    .max(999_999_999_999_999, 'Selecione uma empresa'),
  vehicle_model: optionalText(120),
  vehicle_year: vehicleYear.nullable().optional(),
  vehicle_color: optionalText(60),
  vehicle_plate: plate,
  vehicle_chassis: chassis,
  vehicle_mileage: z
    .number('Deve ser um número de quilômetros')
    .int('Use quilômetros inteiros')
    .min(0, 'A quilometragem não pode ser negativa')
    .max(MILEAGE_MAX, 'Quilometragem acima do máximo permitido')
    .nullable()
    .optional(),
  vehicle_value: money,
  customer_name: optionalText(255),
  customer_email: email,
  customer_phone: phone,
  customer_document: document,
  technician_name: optionalText(255),
  technician_user_id: id.nullable().optional(),
  problem_description: optionalText(TEXT_MAX),
  diagnosis: optionalText(TEXT_MAX),
  solution_applied: optionalText(TEXT_MAX),
  parts_replaced: optionalText(TEXT_MAX),
  service_value: money,
  parts_value: money,
})
export type OrderInput = z.output<typeof orderInput>

const statusList = z
  .string()
  .transform((list) => list.split(',').filter((one) => one !== ''))
  .refine((list) => list.every((one) => ORDER_STATUSES.includes(one as OrderStatus)), 'Status desconhecido')
  .transform((list) => list as OrderStatus[])

/** The list's filter; `status` may be a comma list (D-28). */
export const orderFilter = paging.extend({
  search: text(200).optional(),
  status: statusList.optional(),
  brand_id: id.optional(),
})
export type OrderFilter = z.output<typeof orderFilter>

export const orderView = z.object({
  id: z.number(),
  version: z.number(),
  os_number: z.string(),
  brand_id: z.number(),
  brand: z.object({ id: z.number(), display_name: z.string() }),
  company_id: z.number(),
  company: z.object({ id: z.number(), trading_name: z.string(), company_name: z.string() }),
  status: z.enum(ORDER_STATUSES),
  conversion_status: z.enum(CONVERSION_STATUSES),
  opened_at: z.string(),
  completed_at: z.string().nullable(),
  days_open: z.number().int(),
  vehicle_model: z.string().nullable(),
  vehicle_year: z.number().nullable(),
  vehicle_color: z.string().nullable(),
  vehicle_plate: z.string().nullable(),
  vehicle_chassis: z.string().nullable(),
  vehicle_mileage: z.number().nullable(),
  vehicle_value: z.number().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  customer_phone: z.string().nullable(),
  customer_document: z.string().nullable(),
  technician_name: z.string().nullable(),
  technician_user_id: z.number().nullable(),
  problem_description: z.string().nullable(),
  diagnosis: z.string().nullable(),
  solution_applied: z.string().nullable(),
  parts_replaced: z.string().nullable(),
  service_value: z.number().nullable(),
  parts_value: z.number().nullable(),
  total_value: z.number(),
  created_by: z.number().nullable(),
})
export type OrderView = z.output<typeof orderView>

/** A row of the list: the order's face, without its long texts. */
export const orderRow = orderView.pick({
  id: true,
  os_number: true,
  brand_id: true,
  brand: true,
  company_id: true,
  company: true,
  status: true,
  conversion_status: true,
  opened_at: true,
  completed_at: true,
  days_open: true,
  vehicle_model: true,
  vehicle_year: true,
  vehicle_plate: true,
  vehicle_chassis: true,
  customer_name: true,
  customer_phone: true,
  customer_document: true,
  technician_name: true,
  total_value: true,
})
export type OrderRow = z.output<typeof orderRow>

/** `total_is_exact` is false when the app's search stopped counting at 1 000 (D-55). */
export const orderPage = z.object({
  items: z.array(orderRow),
  total: z.number().int(),
  total_is_exact: z.boolean(),
  skip: z.number().int(),
  limit: z.number().int(),
})
export type OrderPage = z.output<typeof orderPage>
export const ORDER_PAGE_SIZE = 10
export const SEARCH_COUNT_CAP = 1_000
