import { z } from 'zod'
import { bareTaxId, isCustomerDocument } from '../br/tax-id.ts'
import { barePlate, FIRST_VEHICLE_YEAR, isChassis, isTypedPlate, lastVehicleYear } from '../br/vehicle.ts'
import { CLAIM_STATES } from '../claims/state.ts'
import { id, nullWhenBlank, optionalText, phone, text, unmaskedText } from '../fields.ts'
import { CONVERSION_STATUSES, ORDER_STATUSES } from './status.ts'

/** Limits from D-51. */
const MONEY_MAX = 999_999_999.99
const MILEAGE_MAX = 2_000_000
/** Characters of a long text field. */
export const TEXT_MAX = 5_000
const EARLIEST_OPENING = Date.UTC(1990, 0, 1)

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

const plate = (wrong: string) =>
  nullWhenBlank(
    text(20)
      .refine((value) => value === '' || isTypedPlate(value), wrong)
      .transform(barePlate),
  )
const chassis = nullWhenBlank(
  unmaskedText(40)
    .transform((value) => value.toUpperCase())
    .refine((value) => value === '' || isChassis(value), 'Chassi deve ter 17 caracteres'),
)
const document = nullWhenBlank(
  unmaskedText(40)
    .transform(bareTaxId)
    .refine((value) => value === '' || isCustomerDocument(value), 'CPF/CNPJ inválido'),
)
const email = nullWhenBlank(
  unmaskedText(255).refine((value) => value === '' || z.email().safeParse(value).success, 'Email inválido'),
)

export const osNumber = z
  .string('Número da OS é obrigatório')
  .trim()
  .min(1, { error: 'Número da OS é obrigatório', abort: true })
  .regex(/^\d{6}$/, 'Número da OS deve ter 6 dígitos')

/**
 * A new order. Three fields are required (D-14); a given `total_value` is ignored, as the database computes
 * it (D-12). No `.default()` here: `.partial()` would keep it, and a change would overwrite data.
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
  vehicle_plate: plate('Formato inválido de placa'),
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
  /** Who deals with the order in the office: somebody who may see it (DECISIONS 136). */
  responsible_user_id: id.nullable().optional(),
  problem_description: optionalText(TEXT_MAX),
  diagnosis: optionalText(TEXT_MAX),
  solution_applied: optionalText(TEXT_MAX),
  parts_replaced: optionalText(TEXT_MAX),
  service_value: money,
  parts_value: money,
})
export type OrderInput = z.output<typeof orderInput>

const asked = <T extends z.ZodType<string | null | undefined>>(field: T, missing: string) =>
  field.refine((value) => value !== null && value !== undefined, missing)

/** The list's dialog requires seven fields and has a longer message about plates (D-14, MOD-6 to MOD-18). */
export const dialogOrderInput = orderInput.extend({
  vehicle_plate: plate('Placa inválida (ABC-1234 ou ABC1D23)'),
  vehicle_model: asked(optionalText(120), 'Modelo é obrigatório'),
  customer_name: asked(optionalText(255), 'Nome do cliente é obrigatório'),
  customer_phone: asked(phone, 'Telefone é obrigatório'),
  problem_description: asked(optionalText(TEXT_MAX), 'Descrição do problema é obrigatória'),
})

/** One entry of the status menu; a refused one has its reason (decisions, section 2). */
export const transitionView = z.object({
  status: z.enum(ORDER_STATUSES),
  /** Its name in the menu: «Retomar», «Reabrir», … */
  label: z.string(),
  is_allowed: z.boolean(),
  reason: z.string().nullable(),
  /** The screens ask for a reason; only reopening is refused without one. */
  asks_reason: z.boolean(),
})
export type TransitionView = z.output<typeof transitionView>

const conversionProgress = z.object({
  converted: z.number().int(),
  total: z.number().int(),
  /** Whether any file is queued or being converted; otherwise the rest has to be started by a person. */
  is_running: z.boolean(),
})
export type ConversionProgress = z.output<typeof conversionProgress>

/** Masked with «•» for whoever may not see it whole (`masking.ts`). */
const hideable = z
  .string()
  .nullable()
  .describe('Com «•» no lugar dos caracteres ocultos, para quem não pode ver o valor inteiro.')

/** The newest claim of an order, beside its status, which does not follow it. */
const newestClaim = z.object({
  id,
  n: z.number().int(),
  state: z.enum(CLAIM_STATES),
  /** What is due next of it. */
  due_on: z.string().nullable(),
  due_kind: z.string().nullable(),
})

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
  /** Progress of a conversion that is running or incomplete; null otherwise. */
  conversion_progress: conversionProgress.nullable(),
  opened_at: z.string(),
  completed_at: z.string().nullable(),
  days_open: z.number().int(),
  /** Days that the legal limit counts, over all visits of the vehicle for the same defect, and how many these are. */
  legal_days: z.number().int(),
  legal_visits: z.number().int(),
  claim: newestClaim.nullable(),
  /** Under legal hold: nothing of it can be deleted (`hold.ts`). */
  is_held: z.boolean(),
  vehicle_model: z.string().nullable(),
  vehicle_year: z.number().nullable(),
  vehicle_color: z.string().nullable(),
  vehicle_plate: z.string().nullable(),
  vehicle_chassis: hideable,
  vehicle_mileage: z.number().nullable(),
  vehicle_value: z.number().nullable(),
  customer_name: z.string().nullable(),
  customer_email: hideable,
  customer_phone: hideable,
  customer_document: hideable,
  technician_name: z.string().nullable(),
  technician_user_id: z.number().nullable(),
  responsible_user_id: z.number().nullable(),
  responsible_name: z.string().nullable(),
  problem_description: z.string().nullable(),
  diagnosis: z.string().nullable(),
  solution_applied: z.string().nullable(),
  parts_replaced: z.string().nullable(),
  service_value: z.number().nullable(),
  parts_value: z.number().nullable(),
  total_value: z.number(),
  created_by: z.number().nullable(),
  /** Transitions the caller may make by hand; REST clients and the status menu use the same list. */
  allowed_transitions: z.array(transitionView),
})
export type OrderView = z.output<typeof orderView>

/** A row of the list: an order without its long texts. */
export const orderRow = orderView.pick({
  id: true,
  os_number: true,
  brand_id: true,
  brand: true,
  company_id: true,
  company: true,
  status: true,
  conversion_status: true,
  conversion_progress: true,
  opened_at: true,
  completed_at: true,
  days_open: true,
  legal_days: true,
  legal_visits: true,
  claim: true,
  is_held: true,
  vehicle_model: true,
  vehicle_year: true,
  vehicle_plate: true,
  vehicle_chassis: true,
  customer_name: true,
  customer_phone: true,
  customer_document: true,
  technician_name: true,
  // With the company, these two decide on ownership, so that the list offers only permitted actions (D-16).
  technician_user_id: true,
  created_by: true,
  responsible_user_id: true,
  responsible_name: true,
  total_value: true,
})
export type OrderRow = z.output<typeof orderRow>

/** `total_is_exact` is false when the count stopped at 1 000 (D-55). */
export const orderPage = z.object({
  items: z.array(orderRow),
  total: z.number().int(),
  total_is_exact: z.boolean().describe('`false`: há mais resultados do que `total`.'),
  skip: z.number().int(),
  limit: z.number().int(),
})
export type OrderPage = z.output<typeof orderPage>
export const SEARCH_COUNT_CAP = 1_000

/** The cards above the list: filtered by search, brand and company, but not by status (D-28). */
export const orderSummary = z.object({
  total: z.number().int(),
  completed: z.number().int(),
  in_analysis: z.number().int(),
  /** pending and pending_upload (LIST-4). */
  pending: z.number().int(),
  /** created, in_progress and ready. */
  under_way: z.number().int(),
  cancelled: z.number().int(),
  /** False when a broad search stopped counting: each number is then a lower bound, at most 1 000. */
  is_exact: z.boolean(),
})
export type OrderSummary = z.output<typeof orderSummary>

export const OPENED_IN_FUTURE = 'A data de abertura não pode estar no futuro'
/**
 * A change of some fields: absent stays unchanged, null clears (D-04). The number cannot change (VAL-3);
 * `opened_at` may be moved back, never into the future, and only by a manager or above (D-13).
 */
export const orderChange = orderInput
  .omit({ os_number: true })
  .partial()
  .extend({
    opened_at: z.iso
      .datetime({ offset: true, error: 'Deve ser uma data e hora' })
      .refine((at) => !(new Date(at).getTime() < EARLIEST_OPENING), 'A data de abertura é antiga demais')
      .optional(),
    status: z.enum(ORDER_STATUSES, 'Status desconhecido').optional(),
    reason: optionalText(500),
    accepts_problems: z.boolean().optional(),
  })
export type OrderChange = z.output<typeof orderChange>
/** With the version that the screen has read, so that a concurrent edit is reported (D-49). */
export const orderEdit = z.object({
  id,
  version: z.number().int().positive().optional(),
  change: orderChange,
})
export type OrderEdit = z.output<typeof orderEdit>

export const statusChange = z.object({
  status: z.enum(ORDER_STATUSES, 'Status desconhecido'),
  reason: optionalText(500),
  /** Set once the user has confirmed the warning about an incomplete package (D-10). */
  accepts_problems: z.boolean().optional(),
})
export type StatusChange = z.output<typeof statusChange>
