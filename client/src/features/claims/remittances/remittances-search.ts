import { z } from 'zod'
import { number } from '../../../lib/search-fields.ts'

export const REMITTANCE_TABS = ['importar', 'digitar', 'divergencias', 'historico'] as const
export const NO_REMITTANCE = { tab: 'importar', id: 0, page: 1 } as const

/** URL state: the tab, the file that is being imported, and the page of a list. */
export const remittancesSearch = z.object({
  tab: z.enum(REMITTANCE_TABS).default('importar').catch('importar'),
  id: number(0, Number.MAX_SAFE_INTEGER),
  page: number(1, 100_000),
})
