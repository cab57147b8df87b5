import { z } from 'zod'

export const REMITTANCE_TABS = ['importar', 'divergencias', 'historico'] as const
export const NO_REMITTANCE = { tab: 'importar', id: 0, page: 1 } as const

/** URL state: the tab, the file that is being imported, and the page of a list. */
export const remittancesSearch = z.object({
  tab: z.enum(REMITTANCE_TABS).default('importar').catch('importar'),
  id: z.coerce.number().int().min(0).default(0).catch(0),
  page: z.coerce.number().int().min(1).default(1).catch(1),
})
