import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import { z } from 'zod'

/** What an address without parameters means; these values are left out of it. */
export const NO_FILTER = { search: '', status: '', brand_id: 0, page: 1 } as const

/** The list's state lives in its address; a broken parameter falls back to none. */
export const ordersSearch = z.object({
  search: z.string().default(NO_FILTER.search).catch(NO_FILTER.search),
  status: z
    .enum(['', ...ORDER_STATUSES])
    .default(NO_FILTER.status)
    .catch(NO_FILTER.status),
  brand_id: z.coerce.number().int().min(0).default(NO_FILTER.brand_id).catch(NO_FILTER.brand_id),
  page: z.coerce.number().int().min(1).max(100_000).default(NO_FILTER.page).catch(NO_FILTER.page),
})
export type OrdersSearch = z.output<typeof ordersSearch>
