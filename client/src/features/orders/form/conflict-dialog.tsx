import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { isClosed } from '@garantia/shared/orders/status'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { usePress } from '../../../ui/press.ts'
import type { OrderChangeState } from './use-order-change.ts'

const Differences = lazy(async () => ({
  default: (await import('./conflict-differences.tsx')).Differences,
}))

/** Two users edited the same order: shows both changes and lets the user choose (D-49). */
export function ConflictDialog({ change }: { change: OrderChangeState }) {
  const { conflict, closeConflict } = change
  const isOpen = conflict !== null
  const { press, isBusy } = usePress(() => conflict && change.keepMine(conflict), isOpen)
  const last = useRef(conflict)
  if (conflict) last.current = conflict
  const shown = conflict ?? last.current
  return (
    <Modal
      isOpen={isOpen}
      title="Esta OS foi alterada por outra pessoa"
      onClose={closeConflict}
      role="alertdialog"
      width="wide"
      isCloseable={!isBusy}
    >
      <DialogBody>
        <Suspense fallback={null}>{shown && <Differences conflict={shown} />}</Suspense>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text="Recarregar"
              title="Ficar com o valor salvo nos campos em conflito"
              disabled={isBusy}
              onClick={() => conflict && change.takeTheirs(conflict)}
            />
            <Button
              autoFocus
              intent="primary"
              text="Manter o meu"
              title="Salvar o que você digitou"
              loading={isBusy}
              disabled={shown !== null && isClosed(shown.now.status)}
              onClick={press}
            />
          </>
        }
      />
    </Modal>
  )
}
