import { COMPANY_TYPES } from '@garantia/shared/companies/type'
import { z } from 'zod'
import { number } from '../../../lib/search-fields.ts'

/** Defaults of the URL parameters; values equal to the default are omitted from the URL. */
export const NO_COMPANY_FILTER = { page: 1, search: '', type: '', is_active: '' } as const

/** URL state of the list; an invalid parameter falls back to its default (COMP-2 to COMP-6). */
export const companiesSearch = z.object({
  page: number(1, 100_000),
  search: z.string().default('').catch(''),
  type: z
    .enum(['', ...COMPANY_TYPES])
    .default('')
    .catch(''),
  is_active: z.enum(['', 'true', 'false']).default('').catch(''),
})
export type CompaniesSearch = z.output<typeof companiesSearch>
