import { z } from 'zod'
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
export const orderViewCriteria = wire.refine((value) => orderFilter.safeParse(value).success)

/** Views that every user has (beyond.md, section 5): what needs somebody, and one's own orders. */
export const BUILT_IN_VIEWS: readonly { name: string; criteria: z.output<typeof wire> }[] = [
  { name: 'Minhas', criteria: { responsible: MINE, status: OPEN } },
  ...ATTENTION.map(({ label, criteria }) => ({ name: label, criteria })),
]
