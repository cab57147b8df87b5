import type { OrderRow, TransitionView } from '@garantia/shared/orders/schema'

export type MovedOrder = Pick<OrderRow, 'id' | 'os_number' | 'status'>

/** A status change that a person asked for and that a dialog asks about once more. */
export interface Asked {
  order: MovedOrder
  to: TransitionView
}
