import type { OrderRow, TransitionView } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { checkTransition, mayResume } from '@garantia/shared/orders/transitions'
import type { Actor } from '@garantia/shared/policy'

/** Statuses that can be reached by hand whatever the files' state. */
const TARGETS: readonly OrderStatus[] = ['pending_upload', 'pending', 'in_analysis', 'completed', 'cancelled']
const ANY_FILES = { value: 'created', is_converting: false } as const

/** «Retomar» has no target status of its own: it depends on the files of each order. */
export const mayResumeSome = (actor: Actor, orders: readonly OrderRow[]) =>
  orders.some((order) => mayResume(actor, order))

/** What most likely comes next for all of these orders: a package that is ready is handed over and completed. */
export const proposedStatus = (orders: readonly Pick<OrderRow, 'status'>[]): OrderStatus | undefined =>
  orders.every(({ status }) => status === 'ready') ? 'completed' : undefined

/**
 * Transitions allowed for at least one of these orders; the server checks each order again, including its
 * files.
 */
export const bulkChoices = (actor: Actor, orders: readonly OrderRow[]): TransitionView[] =>
  TARGETS.flatMap((to) => {
    const verdicts = orders
      .filter(({ status }) => status !== to)
      .map((order) => checkTransition(actor, order, to, ANY_FILES))
    const [first, ...rest] = verdicts.filter(({ is_allowed }) => is_allowed)
    if (!first) return []
    const { status, label, is_allowed, reason } = first
    return [
      { status, label, is_allowed, reason, asks_reason: [first, ...rest].some((one) => one.asks_reason) },
    ]
  })
