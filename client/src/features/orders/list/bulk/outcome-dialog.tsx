import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { counted } from '@garantia/shared/format'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { useRef } from 'react'
import { Modal } from '../../../../ui/overlay/modal.tsx'

export interface Outcome {
  /** Singular and plural participle for the successful orders: «alterada», «alteradas». */
  participle: readonly [one: string, many: string]
  result: BulkResult
  /** Retries the orders that were refused with a warning, accepting it. */
  retry?: { text: string; run: () => void } | undefined
}
const NOTHING: Outcome = { participle: ['', ''], result: { done: [], refused: [] } }

interface Props {
  /** Null keeps the dialog closed. */
  outcome: Outcome | null
  onClose: () => void
}

/** Result per order, shown when some were refused; those stay selected. */
export function OutcomeDialog({ outcome, onClose }: Props) {
  const last = useRef(NOTHING)
  if (outcome) last.current = outcome
  const {
    participle: [one, many],
    result: { done, refused },
    retry,
  } = last.current
  return (
    <Modal
      isOpen={outcome !== null}
      title={counted(refused.length, `OS não foi ${one}`, `OS não foram ${many}`)}
      onClose={onClose}
    >
      <DialogBody>
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
              <span>{detail}</span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {retry && (
              <Button
                text={retry.text}
                onClick={() => {
                  onClose()
                  retry.run()
                }}
              />
            )}
            <Button autoFocus text="Fechar" onClick={onClose} />
          </>
        }
      />
    </Modal>
  )
}
