import { REASON_TO_ACCEPT } from '@garantia/shared/orders/problems'
import { isClosed } from '@garantia/shared/orders/status'
import { REASON_TO_REOPEN } from '@garantia/shared/orders/transitions'
import { lazy, Suspense } from 'react'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { useLast } from '../../../ui/overlay/use-last.ts'
import { ProblemList } from './problem-list.tsx'
import type { PendingTransition } from './status-move.ts'

const ReasonForm = lazy(async () => ({ default: (await import('./reason-form.tsx')).ReasonForm }))

interface ReasonProps {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  move: PendingTransition | null
  isBusy: boolean
  onConfirm: (reason: string | null) => Promise<unknown>
  onCancel: () => void
}

export function ReasonDialog({ move, isBusy, onConfirm, onCancel }: ReasonProps) {
  const shown = useLast(move)
  // Only reopening requires a reason.
  const isReopening = shown !== null && isClosed(shown.order.status)
  return (
    <Modal
      isOpen={move !== null}
      title={shown ? `${shown.to.label} OS ${shown.order.os_number}` : ''}
      onClose={onCancel}
      isCloseable={!isBusy}
    >
      <Suspense fallback={null}>
        {shown && (
          <ReasonForm
            draft={`${shown.order.id}-${shown.to.status}`}
            missing={isReopening ? REASON_TO_REOPEN : null}
            submitText={isReopening ? 'Reabrir OS' : 'Cancelar OS'}
            intent={isReopening ? 'primary' : 'danger'}
            onConfirm={onConfirm}
            onCancel={onCancel}
          >
            <p className="dialog-lead">
              {isReopening
                ? 'A OS volta a aceitar alterações. A reabertura e o motivo ficam no histórico.'
                : 'A OS deixa de aceitar alterações e as conversões na fila são descartadas.'}
            </p>
          </ReasonForm>
        )}
      </Suspense>
    </Modal>
  )
}

interface ProblemsProps extends ReasonProps {
  problems: readonly string[]
}

/** Asks why an order is completed despite its problems (D-10). */
export function ProblemsDialog({ move, problems, isBusy, onConfirm, onCancel }: ProblemsProps) {
  const shown = useLast(move && { ...move, problems })
  return (
    <Modal
      isOpen={move !== null}
      title={`Concluir OS ${shown?.order.os_number} com pendências?`}
      role="alertdialog"
      onClose={onCancel}
      isCloseable={!isBusy}
    >
      <Suspense fallback={null}>
        {shown && (
          <ReasonForm
            draft={`${shown.order.id}-${shown.to.status}`}
            missing={REASON_TO_ACCEPT}
            submitText="Concluir assim mesmo"
            intent="danger"
            cancelText="Cancelar"
            onConfirm={onConfirm}
            onCancel={onCancel}
          >
            <p className="dialog-lead">As pendências e o motivo ficam registrados no histórico:</p>
            <ProblemList problems={shown.problems} />
          </ReasonForm>
        )}
      </Suspense>
    </Modal>
  )
}
