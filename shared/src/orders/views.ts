import { z } from 'zod'
import { id, text } from '../fields.ts'
import { ATTENTION, OPEN } from './attention.ts'
import { MINE, orderFilter } from './criteria.ts'

const oneOrMore = z.union([z.number().int(), z.string().max(2_000)])
/** A named filter of the list: the URL's parameters, without the page. */
const wire = z.object({
  search: z.string().max(200).optional(),
  status: z.string().max(200).optional(),
  brand_id: oneOrMore.optional(),
  company_id: oneOrMore.optional(),
  conversion_status: z.string().max(200).optional(),
  responsible: z.string().max(2_000).optional(),
  start_date: z.string().max(10).optional(),
  end_date: z.string().max(10).optional(),
  min_days_open: z.number().int().optional(),
  max_days_open: z.number().int().optional(),
  sort: z.string().max(30).optional(),
  direction: z.string().max(4).optional(),
  limit: z.number().int().optional(),
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

/** Views that every user has (beyond.md, section 5): what needs somebody, and one's own orders. */
export const BUILT_IN_VIEWS: readonly Pick<SavedView, 'name' | 'criteria'>[] = [
  { name: 'Minhas', criteria: { responsible: MINE, status: OPEN } },
  ...ATTENTION.map(({ label, criteria }) => ({ name: label, criteria })),
]
