import type { OrderRow, TransitionView } from '@garantia/shared/orders/schema'

export type TransitionOrder = Pick<OrderRow, 'id' | 'os_number' | 'status'>

/** A status change that a person asked for and that a dialog asks about once more. */
export interface PendingTransition {
  order: TransitionOrder
  to: TransitionView
}
