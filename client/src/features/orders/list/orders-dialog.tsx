import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { type ReactNode, Suspense, useRef } from 'react'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { nameOf } from './order-display.ts'

interface Props<Order extends OrderRow> {
  /** What is done with them: «Mudar status». */
  act: string
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  orders: readonly Order[]
  isBusy: boolean
  onClose: () => void
  /** The form, which may be lazy; while the dialog fades out it keeps the orders that it was opened for. */
  children: (orders: readonly Order[]) => ReactNode
}

/** The frame of a form for one or many orders, named by them. */
export function OrdersDialog<Order extends OrderRow>({
  act,
  orders,
  isBusy,
  onClose,
  children,
}: Props<Order>) {
  const last = useRef(orders)
  if (orders.length > 0) last.current = orders
  const [first, ...rest] = last.current
  const whose =
    first && rest.length === 0
      ? `da ${nameOf(first)}`
      : `de ${counted(last.current.length, 'ordem de serviço', 'ordens de serviço')}`
  return (
    <Modal isOpen={orders.length > 0} title={`${act} ${whose}`} onClose={onClose} isCloseable={!isBusy}>
      <Suspense fallback={null}>{children(last.current)}</Suspense>
    </Modal>
  )
}
