import type { OrderView } from '@garantia/shared/orders/schema'
import { lazy } from 'react'
import type { ClaimSubject } from './claim-subject.ts'

const ClaimForm = lazy(async () => ({ default: (await import('./claim-form.tsx')).ClaimForm }))
const PaymentForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).PaymentForm }))
const DebitForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).DebitForm }))
const WriteOffForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).WriteOffForm }))
const ReconcileForm = lazy(async () => ({ default: (await import('./reason-forms.tsx')).ReconcileForm }))
const EntryCorrectionForm = lazy(async () => ({
  default: (await import('./reason-forms.tsx')).EntryCorrectionForm,
}))

interface Props {
  order: OrderView
  subject: ClaimSubject
  onDone: () => void
}

/** The form of one step, inside of a <FormModal>. */
export function ClaimStepForm({ order, subject, onDone }: Props) {
  if (subject.kind === 'open') return <ClaimForm order={order} subject={subject} onDone={onDone} />
  const { claim } = subject
  if (subject.kind === 'correction')
    return <EntryCorrectionForm claim={claim} entry={subject.entry} onDone={onDone} />
  const props = { claim, onDone }
  switch (subject.step) {
    case 'pay':
      return <PaymentForm {...props} />
    case 'debit':
      return <DebitForm {...props} />
    case 'write_off':
      return <WriteOffForm {...props} />
    case 'reconcile':
      return <ReconcileForm {...props} />
  }
}
