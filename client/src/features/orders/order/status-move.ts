import type { OrderRow, TransitionView } from '@garantia/shared/orders/schema'

export type TransitionOrder = Pick<OrderRow, 'id' | 'os_number' | 'status'>

/** A status change for which a dialog asks for a reason or a confirmation. */
export interface PendingTransition {
  order: TransitionOrder
  to: TransitionView
}
