import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { lazy, Suspense, useRef, useState } from 'react'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import { AssignDialog } from './bulk/assign-dialog.tsx'
import { useBulkActions } from './bulk/use-bulk-actions.ts'
import { StatusDialog } from './status-dialog.tsx'

const OutcomeDialog = lazy(async () => ({
  default: (await import('./bulk/outcome-dialog.tsx')).OutcomeDialog,
}))
const NewOrderModal = lazy(async () => ({
  default: (await import('../form/order-modal.tsx')).NewOrderModal,
}))
const RemovalDialog = lazy(async () => ({ default: (await import('./removal-dialog.tsx')).RemovalDialog }))
const NONE: readonly ListedOrder[] = []

/** The dialogs of the list: a new order, and what is asked before one or many orders are changed. */
export function useListDialogs(selection: RowSelection<ListedOrder>) {
  const bulk = useBulkActions(selection)
  // It stays, so that the focus returns as it closes.
  const wasRefused = useRef(false)
  wasRefused.current ||= bulk.outcome !== null
  const [isCreating, setIsCreating] = useState(false)
  const wasCreating = useRef(false)
  wasCreating.current ||= isCreating
  const [ordersToAssign, assign] = useState(NONE)
  const [ordersToTransition, changeStatus] = useState(NONE)
  const [ordersToDelete, remove] = useState(NONE)
  const wasDeleting = useRef(false)
  wasDeleting.current ||= ordersToDelete.length > 0
  return {
    create: () => setIsCreating(true),
    assign,
    changeStatus,
    remove,
    convert: () => bulk.convert(selection.rows),
    isBusy: bulk.isBusy,
    elements: (
      <>
        <StatusDialog
          orders={ordersToTransition}
          isBusy={bulk.isBusy}
          onChange={(change) => bulk.setStatus(ordersToTransition, change, () => changeStatus(NONE))}
          onResume={() => bulk.resume(ordersToTransition, () => changeStatus(NONE))}
          onClose={() => changeStatus(NONE)}
        />
        <AssignDialog
          orders={ordersToAssign}
          isBusy={bulk.isBusy}
          onAssign={(responsible) => bulk.assign(ordersToAssign, responsible, () => assign(NONE))}
          onClose={() => assign(NONE)}
        />
        {wasDeleting.current && (
          <Suspense>
            <RemovalDialog
              orders={ordersToDelete}
              onRemoveMany={(many) => bulk.remove(many, () => remove(NONE))}
              onRemoved={({ id }) => selection.drop([id])}
              onClose={() => remove(NONE)}
            />
          </Suspense>
        )}
        {wasRefused.current && (
          <Suspense>
            <OutcomeDialog outcome={bulk.outcome} isBusy={bulk.isBusy} onClose={bulk.clearOutcome} />
          </Suspense>
        )}
        {wasCreating.current && (
          <Suspense>
            <NewOrderModal isOpen={isCreating} onClose={() => setIsCreating(false)} />
          </Suspense>
        )}
      </>
    ),
  }
}
