import { DUE_KINDS, type DueKind } from '@garantia/shared/claims/deadlines'
import { z } from 'zod'
import { day, isId, listOf, number } from '../../../lib/search-fields.ts'

export const NO_DEADLINE_FILTER = { kind: '', brand_id: '', company_id: '', until: '' } as const
export const FIRST_DEADLINES = { ...NO_DEADLINE_FILTER, page: 1 } as const

/** URL state of the list; an invalid parameter falls back to its default. */
export const deadlinesSearch = z.object({
  kind: listOf((one) => DUE_KINDS.includes(one as DueKind)),
  brand_id: listOf(isId),
  company_id: listOf(isId),
  until: day,
  page: number(1, 100_000),
})
export type DeadlinesSearch = z.output<typeof deadlinesSearch>
export const deadlineCriteriaOf = ({ kind, brand_id, company_id, until }: DeadlinesSearch) => ({
  kind: kind || undefined,
  brand_id: brand_id || undefined,
  company_id: company_id || undefined,
  until: until || undefined,
})
export const isFilteredDeadlines = (state: DeadlinesSearch) =>
  Object.values(deadlineCriteriaOf(state)).some((value) => value !== undefined)
