import { z } from 'zod'
import { day, isId, listOf, number } from '../../../lib/search-fields.ts'

export const NO_DEADLINE_FILTER = { kind: '', brand_id: '', company_id: '', until: '' } as const
export const FIRST_DEADLINES = { ...NO_DEADLINE_FILTER, page: 1 } as const

/** URL state of the list. Kinds are judged by the screen: their rules are not in what every screen loads. */
export const deadlinesSearch = z.object({
  kind: listOf((one) => /^[a-z]{1,20}$/.test(one)),
  brand_id: listOf(isId),
  company_id: listOf(isId),
  until: day,
  page: number(1, 100_000),
})
export type DeadlinesSearch = z.output<typeof deadlinesSearch>
