import { z } from 'zod'

/** PostgreSQL knows no year 0. */
const day = z.iso
  .date('Deve ser uma data (aaaa-mm-dd)')
  .refine((text) => text >= '0001', 'Deve ser uma data (aaaa-mm-dd)')

/** Two days as aaaa-mm-dd; either may be open. */
export const isPeriod = (period: { start_date?: string; end_date?: string }) =>
  !period.start_date || !period.end_date || period.start_date <= period.end_date

/** Calendar days of opening in São Paulo, both ends included; absent means all time (API-28). */
export const metricsFilter = z
  .object({
    start_date: day.optional(),
    end_date: day.optional(),
  })
  .refine(isPeriod, {
    path: ['end_date'],
    error: 'O fim do período não pode vir antes do início',
  })
export type MetricsFilter = z.output<typeof metricsFilter>

/** What every figure means is in D-26; all are of the orders the caller may see. */
export const metrics = z.object({
  total_orders: z.number().int(),
  completed_orders: z.number().int(),
  in_analysis_orders: z.number().int(),
  pending_orders: z.number().int(),
  cancelled_orders: z.number().int(),
  /** Per cent, one decimal. */
  completion_rate: z.number(),
  average_processing_time_hours: z.number(),
  /** R$ of completed orders. */
  total_revenue: z.number(),
  average_order_value: z.number(),
  /** Brand name → orders. */
  orders_by_brand: z.record(z.string(), z.number().int()),
  /** Per cent against the same days of the month before. */
  monthly_growth: z.number(),
  weekly_orders: z.number().int(),
  /** The last seven days, oldest first. */
  weekly_series: z.array(z.object({ day: z.string(), orders: z.number().int() })),
  active_brands: z.number().int(),
  active_companies: z.number().int(),
  total_customers: z.number().int(),
})
export type Metrics = z.output<typeof metrics>
