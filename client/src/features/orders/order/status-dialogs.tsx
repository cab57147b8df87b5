import { lazy, Suspense, useRef } from 'react'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import type { PendingTransition } from './status-move.ts'

const ReasonForm = lazy(async () => ({ default: (await import('./reason-form.tsx')).ReasonForm }))

interface ReasonProps {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  move: PendingTransition | null
  isBusy: boolean
  onConfirm: (reason: string | null) => void
  onCancel: () => void
}

export function ReasonDialog({ move, isBusy, onConfirm, onCancel }: ReasonProps) {
  const shown = useLast(move)
  return (
    <Modal
      isOpen={move !== null}
      title={shown ? `${shown.to.label} OS ${shown.order.os_number}` : ''}
      onClose={onCancel}
      isCloseable={!isBusy}
    >
      <Suspense fallback={null}>
        {shown && <ReasonForm move={shown} isBusy={isBusy} onConfirm={onConfirm} onCancel={onCancel} />}
      </Suspense>
    </Modal>
  )
}

interface ProblemsProps {
  move: PendingTransition | null
  problems: readonly string[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Confirmation before an order is completed despite its problems (D-10). */
export function ProblemsDialog({ move, problems, isBusy, onConfirm, onCancel }: ProblemsProps) {
  const shown = useLast(move && { ...move, problems })
  return (
    <ConfirmDialog
      isOpen={move !== null}
      title={`Concluir OS ${shown?.order.os_number} com pendências?`}
      confirmText="Concluir assim mesmo"
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p className="dialog-lead">As pendências ficam registradas no histórico:</p>
      <ul className="problem-list">
        {shown?.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

/** Keeps the last content while a dialog fades out. */
function useLast<Value>(value: Value | null) {
  const last = useRef(value)
  if (value !== null) last.current = value
  return value ?? last.current
}
