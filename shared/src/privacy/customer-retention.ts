import { z } from 'zod'

/** Five years, in which damage may be claimed (Código de Defesa do Consumidor, art. 27). */
export const DEFAULT_CUSTOMER_MONTHS = 60
export const customerRetention = z.object({
  months: z
    .number('Informe o prazo em meses')
    .int('Use meses inteiros')
    .min(6, 'No mínimo 6 meses')
    .max(600, 'No máximo 600 meses'),
})
export type CustomerRetention = z.output<typeof customerRetention>

/** Whether the nightly run anonymises, with the time that was looked at. */
export const customerRetentionRun = customerRetention.extend({ is_applied: z.boolean() })
export type CustomerRetentionRun = z.output<typeof customerRetentionRun>

/** Orders listed of those that are due. */
export const DUE_LISTED = 50
export interface DueOrder {
  id: number
  os_number: string
  company: string
  ended_at: string
}
export interface CustomerRetentionView extends CustomerRetention {
  /** Switched on: every night the orders that are due are anonymised. */
  is_applied: boolean
  /** Null while nobody has changed the default. */
  changed_at: string | null
  actor_name: string | null
  /** Orders whose customer is over the time, the oldest first. */
  due: DueOrder[]
  due_count: number
  /** The same under legal hold, which are kept. */
  held_count: number
}
