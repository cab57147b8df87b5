import type { OrderView } from '@garantia/shared/orders/schema'
import { useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { ClaimStepForm } from './claim-step-form.tsx'
import { type ClaimSubject, titleOf } from './claim-subject.ts'

interface Props {
  order: OrderView
  /** Null keeps the dialog closed. */
  subject: ClaimSubject | null
  onClose: () => void
}

/** The form of one step of a claim. */
export function ClaimDialog({ order, subject, onClose }: Props) {
  const last = useRef(subject)
  if (subject !== null) last.current = subject
  const shown = last.current
  if (shown === null) return null
  return (
    <FormModal
      isOpen={subject !== null}
      title={titleOf(shown)}
      unsavedLabel="este formulário"
      width="wide"
      onClose={onClose}
    >
      <ClaimStepForm order={order} subject={shown} onDone={onClose} />
    </FormModal>
  )
}
