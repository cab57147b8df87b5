import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { nameOf } from './order-display.ts'
import type { StatusFormProps } from './status-forms.tsx'

const StatusForms = lazy(async () => ({ default: (await import('./status-forms.tsx')).StatusForms }))

interface Props extends StatusFormProps {
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  orders: readonly OrderRow[]
  isBusy: boolean
}

/** Changes the status of one or many orders. */
export function StatusDialog({ orders, isBusy, ...form }: Props) {
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
      title={`Mudar status ${whose}`}
      onClose={form.onClose}
      isCloseable={!isBusy}
    >
      <Suspense fallback={null}>
        <StatusForms orders={last.current} {...form} />
      </Suspense>
    </Modal>
  )
}
