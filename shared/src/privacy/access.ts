import { z } from 'zod'
import { READ_KIND, type SecurityEntry } from '../audit/security.ts'
import { id, text } from '../fields.ts'
import { day, isPeriod } from '../orders/metrics.ts'

/** What the access log has: reads of personal data, without what was refused. */
export const ACCESS_KINDS = Object.keys(READ_KIND) as (keyof typeof READ_KIND)[]

/** One page, newest first; `cursor` is the last id already read. Days are those of São Paulo, both inclusive. */
export const accessFilter = z
  .object({
    order_id: id.optional(),
    /** The number, or its beginning, of orders that exist. */
    os_number: text(6).optional(),
    /** Part of the name under which somebody acted. */
    person: text(100).optional(),
    kind: z.enum(ACCESS_KINDS, 'Tipo de acesso desconhecido').optional(),
    start_date: day.optional(),
    end_date: day.optional(),
    cursor: id.nullish(),
    limit: z.number().int().min(1).max(100).optional(),
  })
  .refine(isPeriod, { path: ['end_date'], error: 'O fim do período não pode vir antes do início' })
export type AccessFilter = z.output<typeof accessFilter>

export type AccessEntry = Omit<SecurityEntry, 'times'>
