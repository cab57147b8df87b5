import { z } from 'zod'

/** A date as aaaa-mm-dd; PostgreSQL has no year 0. */
export const day = z.iso
  .date('Deve ser uma data (aaaa-mm-dd)')
  .refine((text) => text >= '0001', 'Deve ser uma data (aaaa-mm-dd)')

/** Whether the period does not end before it starts; either date may be absent. */
export const isPeriod = (period: { start_date?: string; end_date?: string }) =>
  !period.start_date || !period.end_date || period.start_date <= period.end_date

/** Opening dates in São Paulo, both inclusive; absent means no limit (API-28). */
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

/** Dashboard figures, defined in D-26, for the orders that the caller may see. */
export const metrics = z.object({
  total_orders: z.number().int(),
  completed_orders: z.number().int(),
  in_analysis_orders: z.number().int(),
  pending_orders: z.number().int(),
  cancelled_orders: z.number().int(),
  /** Percent, one decimal. */
  completion_rate: z.number(),
  average_processing_time_hours: z.number(),
  /** R$ of completed orders. */
  total_revenue: z.number(),
  average_order_value: z.number(),
  /** Brand name → orders. */
  orders_by_brand: z.record(z.string(), z.number().int()),
  /** Percent against the same days of the previous month. */
  monthly_growth: z.number(),
  weekly_orders: z.number().int(),
  /** The last seven days, oldest first. */
  weekly_series: z.array(z.object({ day: z.string(), orders: z.number().int() })),
  active_brands: z.number().int(),
  active_companies: z.number().int(),
  total_customers: z.number().int(),
})
export type Metrics = z.output<typeof metrics>
