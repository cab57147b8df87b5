import type { ShownOrder } from '@garantia/shared/orders/conversion-badge'
import { trpc } from './trpc.ts'

/**
 * Returns a function that shows an order as the server has answered it to a change, and has everything that
 * follows from an order read again. An older answer still on its way is not waited for.
 */
export function useSavedOrder() {
  const utils = trpc.useUtils()
  return async (order: ShownOrder) => {
    const { id } = order
    await utils.orders.one.cancel({ id })
    utils.orders.one.setData({ id }, order)
    void utils.orders.history.invalidate({ id })
    void utils.orderList.invalidate()
    void utils.evidence.list.invalidate({ order_id: id })
    void utils.evidence.checklist.invalidate({ order_id: id })
  }
}
