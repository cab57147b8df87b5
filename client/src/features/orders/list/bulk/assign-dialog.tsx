import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../../../ui/overlay/modal.tsx'
import { nameOf } from '../order-display.ts'

const AssignForm = lazy(async () => ({ default: (await import('./assign-form.tsx')).AssignForm }))

export interface AssignProps {
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  orders: readonly OrderRow[]
  isBusy: boolean
  onAssign: (responsible_user_id: number | null) => Promise<unknown>
  onClose: () => void
}

/** Makes somebody responsible for one or many orders. */
export function AssignDialog({ orders, isBusy, ...form }: AssignProps) {
  const last = useRef(orders)
  if (orders.length > 0) last.current = orders
  const [first, ...rest] = last.current
  const whose =
    first && rest.length === 0
      ? `da ${nameOf(first)}`
      : `de ${counted(last.current.length, 'ordem de serviço', 'ordens de serviço')}`
  return (
    <Modal
      isOpen={orders.length > 0}
      title={`Responsável ${whose}`}
      onClose={form.onClose}
      isCloseable={!isBusy}
    >
      <Suspense fallback={null}>
        <AssignForm orders={last.current} {...form} />
      </Suspense>
    </Modal>
  )
}
