import { z } from 'zod'
import { id, text } from '../fields.ts'
import { DIRECTIONS, ORDER_SORTS, orderCriteria } from './criteria.ts'
import type { OrderView } from './schema.ts'

/**
 * Command palette: orders found by the typed text, and recently opened ones that the caller may still read.
 */
export const FOUND_MAX = 8
export const orderQuestion = z.object({ search: text(200) })
export const RECENT_MAX = 8
export const recentOrders = z.object({ ids: z.array(id).max(RECENT_MAX) })

/** An order, and the filter and sorting of the list it was opened from. */
export const orderListPosition = orderCriteria.extend({
  id,
  sort: z.enum(ORDER_SORTS).optional(),
  direction: z.enum(DIRECTIONS).optional(),
})
export type OrderListPosition = z.output<typeof orderListPosition>
type Neighbour = Pick<OrderView, 'id' | 'os_number'>
export interface OrderNeighbours {
  previous: Neighbour | null
  next: Neighbour | null
  /** False when the order is not, or no longer, in that list. */
  is_listed: boolean
  /** Position from 1; null when the order is not listed or too far down to be counted. */
  place: number | null
  total: number
  total_is_exact: boolean
}
