import { isPeriod } from '@garantia/shared/orders/metrics'
import { z } from 'zod'

/** Default of the URL parameters: all time. */
export const ALL_TIME = { start_date: '', end_date: '' } as const

const day = z
  .union([z.literal(''), z.iso.date()])
  .default('')
  .catch('')
/** The period as URL state; one that ends before it starts falls back to all time. */
export const dashboardSearch = z
  .object({ start_date: day, end_date: day })
  .transform((period) => (isPeriod(period) ? period : ALL_TIME))
export type Period = z.output<typeof dashboardSearch>
