import type { OrderView, TransitionView } from '@garantia/shared/orders/schema'
import { lazy, useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'

const NewOrderForm = lazy(async () => ({
  default: (await import('./new-order-form.tsx')).NewOrderForm,
}))
const EditOrderForm = lazy(async () => ({
  default: (await import('./edit-order-form.tsx')).EditOrderForm,
}))

interface Props {
  /** Both stay mounted while closed, or the focus would not return to where it came from. */
  isOpen: boolean
  onClose: () => void
}

/** MOD-1: a new order in two tabs; leads to its page when done. */
export const NewOrderModal = ({ isOpen, onClose }: Props) => (
  <FormModal isOpen={isOpen} title="Nova OS" unsavedLabel="a nova OS" onClose={onClose}>
    <NewOrderForm onDone={onClose} />
  </FormModal>
)

interface EditProps extends Props {
  order: OrderView
  /** Another status was chosen; it goes the same way as from the menu. */
  onMove: (order: OrderView, to: TransitionView) => void
}
/** MOD-4: the same form over an order that is there already. */
export function EditOrderModal({ order, isOpen, onClose, onMove }: EditProps) {
  // The next question waits until this dialog is gone, or the focus would end nowhere.
  const wanted = useRef<() => void>(undefined)
  const moveOn = () => {
    wanted.current?.()
    wanted.current = undefined
  }
  return (
    <FormModal
      isOpen={isOpen}
      title={`Editar OS ${order.os_number}`}
      unsavedLabel={`alterações na OS ${order.os_number}`}
      onClose={onClose}
      onClosed={moveOn}
    >
      <EditOrderForm
        order={order}
        onDone={onClose}
        onMove={(now, to) => {
          wanted.current = () => onMove(now, to)
        }}
      />
    </FormModal>
  )
}
