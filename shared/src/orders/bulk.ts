import { z } from 'zod'
import { id } from '../fields.ts'
import { BULK_MAX } from './bulk-limit.ts'
import { DIRECTIONS, ORDER_SORTS, orderCriteria } from './criteria.ts'
import { statusChange } from './schema.ts'

const ids = z
  .array(id)
  .min(1, 'Selecione ao menos uma OS')
  .max(BULK_MAX, `Máximo de ${BULK_MAX} ordens por vez`)
export const bulkStatus = statusChange.extend({ ids })
export const bulkAssign = z.object({
  ids,
  /** Null takes the orders from whoever is responsible for them. */
  responsible_user_id: id.nullable(),
})
export const bulkConvert = z.object({ ids })
export const bulkRemove = z.object({ ids })
export const bulkResume = z.object({ ids })
/** The bulk actions as one REST request. */
export const bulkAction = z
  .object({
    action: z.enum(['status', 'resume', 'convert', 'delete', 'assign'], 'Ação desconhecida'),
    ids,
    status: statusChange.shape.status.optional(),
    reason: statusChange.shape.reason,
    accepts_problems: statusChange.shape.accepts_problems,
    responsible_user_id: bulkAssign.shape.responsible_user_id.optional(),
  })
  .refine(({ action, status }) => action !== 'status' || status !== undefined, {
    path: ['status'],
    error: 'Informe o novo status',
  })
  .refine(({ action, responsible_user_id }) => action !== 'assign' || responsible_user_id !== undefined, {
    path: ['responsible_user_id'],
    error: 'Informe o novo responsável',
  })
export type BulkAction = z.output<typeof bulkAction>
/** Result of a bulk action for each order, in the order of the request. */
export const bulkResult = z.object({
  done: z.array(z.object({ id: z.number(), os_number: z.string() })),
  refused: z.array(z.object({ id: z.number(), os_number: z.string().nullable(), detail: z.string() })),
})
export type BulkResult = z.output<typeof bulkResult>

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
/** Selects orders by the list's filter or by ids (comma-separated). */
export const orderExport = orderCriteria.extend({
  format: z.enum(EXPORT_FORMATS),
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Lista de OS inválida')
    .transform((list) => list.split(',').map(Number))
    .refine((list) => list.length <= BULK_MAX, `Máximo de ${BULK_MAX} ordens por vez`)
    .optional(),
  sort: z.enum(ORDER_SORTS).optional(),
  direction: z.enum(DIRECTIONS).optional(),
})
export type OrderExport = z.output<typeof orderExport>
