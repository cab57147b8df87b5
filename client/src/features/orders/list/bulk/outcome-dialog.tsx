import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { counted } from '@garantia/shared/format'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { problemsIn, REASON_TO_ACCEPT } from '@garantia/shared/orders/problems'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../../../ui/overlay/modal.tsx'
import { ProblemList } from '../../order/problem-list.tsx'

const ReasonForm = lazy(async () => ({ default: (await import('../../order/reason-form.tsx')).ReasonForm }))

export interface Outcome {
  /** Singular and plural participle for the successful orders: «alterada», «alteradas». */
  participle: readonly [one: string, many: string]
  result: BulkResult
  /** Completes the orders that were refused for their problems, with the reason why. */
  retry?: { given?: string | null | undefined; run: (reason: string | null) => Promise<unknown> } | undefined
}
const NOTHING: Outcome = { participle: ['', ''], result: { done: [], refused: [] } }

interface Props {
  /** Null keeps the dialog closed. */
  outcome: Outcome | null
  isBusy: boolean
  onClose: () => void
}

/** Result per order, shown when some were refused; those stay selected. */
export function OutcomeDialog({ outcome, isBusy, onClose }: Props) {
  const last = useRef(NOTHING)
  if (outcome) last.current = outcome
  const {
    participle: [one, many],
    result: { refused },
    retry,
  } = last.current
  return (
    <Modal
      isOpen={outcome !== null}
      title={counted(refused.length, `OS não foi ${one}`, `OS não foram ${many}`)}
      onClose={onClose}
      isCloseable={!isBusy}
      width="wide"
    >
      {retry ? (
        <Suspense fallback={null}>
          <ReasonForm
            draft="many"
            missing={REASON_TO_ACCEPT}
            given={retry.given}
            submitText="Concluir assim mesmo"
            intent="danger"
            cancelText="Fechar"
            onConfirm={retry.run}
            onCancel={onClose}
          >
            <Orders {...last.current} />
          </ReasonForm>
        </Suspense>
      ) : (
        <>
          <DialogBody>
            <Orders {...last.current} />
          </DialogBody>
          <DialogFooter actions={<Button autoFocus text="Fechar" onClick={onClose} />} />
        </>
      )}
    </Modal>
  )
}

const Orders = ({ participle: [one, many], result: { done, refused } }: Outcome) => (
  <>
    {done.length > 0 && (
      <p className="outcome-done">
        {counted(done.length, `OS ${one}`, `OS ${many}`)}:{' '}
        <span className="numeric">{done.map(({ os_number }) => os_number).join(', ')}</span>
      </p>
    )}
    <ul className="outcome-list" aria-label="Recusadas">
      {refused.map(({ id, os_number, detail }) => (
        <li key={id}>
          <strong className="numeric">OS {os_number ?? `nº ${id}`}</strong>
          <Refusal detail={detail} />
        </li>
      ))}
    </ul>
  </>
)

/** The problems of an order one below the other, any other refusal as it is. */
function Refusal({ detail }: { detail: string }) {
  const problems = problemsIn(detail)
  if (!problems) return <span>{detail}</span>
  return (
    <span>
      Problemas na validação:
      <ProblemList problems={problems} />
    </span>
  )
}
