import { counted } from '@garantia/shared/format'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../../../ui/overlay/modal.tsx'
import { nameOf } from '../order-display.ts'
import type { AssignProps } from './assign-form.tsx'

const AssignForm = lazy(async () => ({ default: (await import('./assign-form.tsx')).AssignForm }))

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
