import type { OrderView } from '@garantia/shared/orders/schema'
import { lazy } from 'react'
import type { ClaimSubject } from './claim-subject.ts'

const ClaimForm = lazy(async () => ({ default: (await import('./claim-form.tsx')).ClaimForm }))
const SendForm = lazy(async () => ({ default: (await import('./send-form.tsx')).SendForm }))
const DecisionForm = lazy(async () => ({ default: (await import('./decision-form.tsx')).DecisionForm }))
const CorrectionForm = lazy(async () => ({ default: (await import('./decision-form.tsx')).CorrectionForm }))
const PaymentForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).PaymentForm }))
const DebitForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).DebitForm }))
const WriteOffForm = lazy(async () => ({ default: (await import('./money-forms.tsx')).WriteOffForm }))
const WithdrawForm = lazy(async () => ({ default: (await import('./reason-forms.tsx')).WithdrawForm }))
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
    case 'change':
      return <ClaimForm order={order} subject={subject} onDone={onDone} />
    case 'send':
    case 'resend':
      return <SendForm order={order} {...props} />
    case 'decide':
      return <DecisionForm initial="accepted" {...props} />
    case 'return':
      return <DecisionForm initial="returned" {...props} />
    case 'review':
      return <DecisionForm initial="in_review" {...props} />
    case 'correct_decision':
      return <CorrectionForm {...props} />
    case 'pay':
      return <PaymentForm {...props} />
    case 'debit':
      return <DebitForm {...props} />
    case 'write_off':
      return <WriteOffForm {...props} />
    case 'reconcile':
      return <ReconcileForm {...props} />
    case 'withdraw':
      return <WithdrawForm {...props} />
  }
}
