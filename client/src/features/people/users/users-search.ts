import { z } from 'zod'
import { number } from '../../../lib/search-fields.ts'

/** Defaults of the URL parameters; values equal to the default are omitted from the URL. */
export const NO_USER_FILTER = { page: 1, search: '' } as const

/** URL state of the list; an invalid parameter falls back to its default (ADM-2). */
export const usersSearch = z.object({
  page: number(1, 100_000),
  search: z.string().default('').catch(''),
})
export type UsersSearch = z.output<typeof usersSearch>
