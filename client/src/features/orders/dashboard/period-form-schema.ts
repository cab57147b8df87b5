import { metricsFilter } from '@garantia/shared/orders/metrics'
import { z } from 'zod'
import { filterOf, isoOfTyped } from './period.ts'

const isDay = (iso: string) => z.iso.date().safeParse(iso).success
const typed = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(isoOfTyped(text)), 'Deve ser uma data (dd/mm/aaaa)')
  .transform((text) => (text === '' ? '' : isoOfTyped(text)))

/** Two typed days; either may be blank. */
export const periodForm = z
  .object({ start_date: typed, end_date: typed })
  .transform(filterOf)
  .pipe(metricsFilter)
export type TypedPeriod = z.input<typeof periodForm>
