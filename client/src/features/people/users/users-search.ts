import { z } from 'zod'

/** What an address without parameters means; these values are left out of it. */
export const NO_USER_FILTER = { page: 1, search: '' } as const

/** The list's state lives in its address; a broken parameter falls back to none (ADM-2). */
export const usersSearch = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1).catch(1),
  search: z.string().default('').catch(''),
})
export type UsersSearch = z.output<typeof usersSearch>
