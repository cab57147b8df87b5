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
  /** Dialogs stay mounted while closed so that focus can return to the element that opened them. */
  isOpen: boolean
  onClose: () => void
}

/** MOD-1: a new order in two tabs; opens its page when done. */
export const NewOrderModal = ({ isOpen, onClose }: Props) => (
  <FormModal isOpen={isOpen} title="Nova OS" unsavedLabel="a nova OS" onClose={onClose}>
    <NewOrderForm onDone={onClose} />
  </FormModal>
)

interface EditProps extends Props {
  order: OrderView
  /**
   * Called when a status was chosen that needs a reason or a confirmation, handled as from the status menu.
   */
  onMove: (order: OrderView, to: TransitionView) => void
}
/** MOD-4: the same form for an existing order. */
export function EditOrderModal({ order, isOpen, onClose, onMove }: EditProps) {
  // The transition dialog opens only after this one has closed; otherwise the focus would be lost.
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
