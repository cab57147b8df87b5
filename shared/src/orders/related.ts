import type { OrderStatus } from './status.ts'

/** Other orders of the vehicle, or of the customer, that are shown beside an order. */
export const RELATED_MAX = 5

export interface RelatedOrder {
  id: number
  os_number: string
  status: OrderStatus
  /** ISO 8601. */
  opened_at: string
  vehicle_model: string | null
  brand: string
}
/** The newest ones, and whether there are more. */
export interface RelatedGroup {
  orders: RelatedOrder[]
  has_more: boolean
}
/** Other orders in the caller's scope, each in one group only. */
export interface RelatedOrders {
  vehicle: RelatedGroup
  customer: RelatedGroup
}
