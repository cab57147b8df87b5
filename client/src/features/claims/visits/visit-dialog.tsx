import type { LegalClockView } from '@garantia/shared/claims/visits'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { FactForm, LinkForm, VisitDatesForm } from './visit-forms.tsx'
import { titleOfVisit, type VisitSubject } from './visit-subject.ts'

interface Props {
  order: OrderView
  clock: LegalClockView
  /** Null keeps the dialog closed. */
  subject: VisitSubject | null
  onClose: () => void
}

/** Links a visit to another one, corrects its dates, or puts a fact on record. */
export function VisitDialog({ order, clock, subject, onClose }: Props) {
  const last = useRef(subject)
  if (subject !== null) last.current = subject
  const shown = last.current
  if (shown === null) return null
  const props = { order, clock, onDone: onClose }
  return (
    <FormModal
      isOpen={subject !== null}
      title={titleOfVisit(shown)}
      unsavedLabel="este formulário"
      width="narrow"
      onClose={onClose}
    >
      {shown.kind === 'link' ? (
        <LinkForm {...props} />
      ) : shown.kind === 'dates' ? (
        <VisitDatesForm {...props} />
      ) : (
        <FactForm {...props} fact={shown.fact} />
      )}
    </FormModal>
  )
}
