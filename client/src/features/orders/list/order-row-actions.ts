import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { UNDER_LEGAL_HOLD } from '@garantia/shared/orders/hold'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { type Actor, can } from '@garantia/shared/policy'
import { createContext } from 'react'

/** Actions of a row, implemented by the page. */
export interface OrderRowActions {
  download: (order: ListedOrder) => void
  edit: (order: ListedOrder) => void
  changeStatus: (order: ListedOrder) => void
  assign: (order: ListedOrder) => void
  upload: (order: ListedOrder) => void
  remove: (order: ListedOrder) => void
  peek: (order: ListedOrder) => void
}

/**
 * Order whose package is being downloaded. A context of its own: a change of the actions object would render
 * all cells again.
 */
export const DownloadingOrderId = createContext<number | undefined>(undefined)

/**
 * Why an action is unavailable, or null when it is available. The server would refuse for the same reason.
 */
export const unavailableReason = {
  download: (_: Actor, order: ListedOrder) =>
    order.conversion_status === 'available' ? null : 'O pacote desta OS ainda não está disponível.',
  edit: (actor: Actor, order: ListedOrder): string | null => {
    if (!can(actor, 'order.change', order)) return 'Esta OS é de outro técnico.'
    return isClosed(order.status) ? `${CLOSED_ORDER}.` : null
  },
  changeStatus: (actor: Actor, order: ListedOrder) => {
    if (isClosed(order.status) && !can(actor, 'order.reopen', order))
      return 'Somente administradores podem reabrir uma OS.'
    return can(actor, 'order.status', order) ? null : 'Esta OS é de outro técnico.'
  },
  assign: (actor: Actor, order: ListedOrder): string | null => unavailableReason.edit(actor, order),
  upload: (actor: Actor, order: OrderRow) => {
    if (isClosed(order.status)) return `${CLOSED_ORDER}.`
    return can(actor, 'evidence.upload', order) ? null : 'Esta OS é de outro técnico.'
  },
  remove: (actor: Actor, order: ListedOrder) => {
    if (can(actor, 'order.delete', order)) return order.is_held ? `${UNDER_LEGAL_HOLD}.` : null
    return order.status === 'completed' && can(actor, 'order.cancel', order)
      ? 'Somente administradores podem excluir uma OS concluída.'
      : 'Somente gestores e administradores podem excluir uma OS.'
  },
}
