import { COMPANY_TYPES } from '@garantia/shared/companies/schema'
import { z } from 'zod'

/** What an address without parameters means; these values are left out of it (COMP-6). */
export const NO_COMPANY_FILTER = { page: 1, search: '', type: '', is_active: '' } as const

/** The list's state lives in its address; a broken parameter falls back to none (COMP-2 to COMP-5). */
export const companiesSearch = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1).catch(1),
  search: z.string().default('').catch(''),
  type: z
    .enum(['', ...COMPANY_TYPES])
    .default('')
    .catch(''),
  is_active: z.enum(['', 'true', 'false']).default('').catch(''),
})
export type CompaniesSearch = z.output<typeof companiesSearch>
