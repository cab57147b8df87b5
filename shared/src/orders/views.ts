import { z } from 'zod'
import { id, text } from '../fields.ts'
import { orderFilter } from './schema.ts'
import { HURRY_DAYS, LEGAL_DAYS } from './status.ts'

/** A named filter of the list: the URL's parameters, without the page. */
const wire = z.object({
  search: z.string().max(200).optional(),
  status: z.string().max(200).optional(),
  brand_id: z.number().int().optional(),
  company_id: z.number().int().optional(),
  conversion_status: z.string().max(200).optional(),
  min_days_open: z.number().int().optional(),
  sort: z.string().max(30).optional(),
  direction: z.string().max(4).optional(),
})
export const viewCriteria = wire.refine((value) => orderFilter.safeParse(value).success, 'Filtro inválido')

export const viewInput = z.object({
  name: text(60).min(1, 'Dê um nome à vista'),
  /** Visible to everybody in the owner's company. */
  is_shared: z.boolean(),
  criteria: viewCriteria,
})
export type ViewInput = z.output<typeof viewInput>

export const savedView = z.object({
  id,
  name: z.string(),
  is_shared: z.boolean(),
  is_mine: z.boolean(),
  owner_name: z.string(),
  criteria: wire,
})
export type SavedView = z.output<typeof savedView>

/** Views that every user has (beyond.md, section 5). */
export const BUILT_IN_VIEWS = [
  {
    name: `Vencendo ${LEGAL_DAYS} dias`,
    criteria: { min_days_open: HURRY_DAYS, sort: 'opened_at', direction: 'asc' },
  },
  { name: 'Prontas para enviar', criteria: { status: 'ready' } },
  { name: 'Falhou conversão', criteria: { conversion_status: 'failed' } },
  { name: 'Sem evidência', criteria: { status: 'created' } },
] as const satisfies readonly { name: string; criteria: z.input<typeof wire> }[]
