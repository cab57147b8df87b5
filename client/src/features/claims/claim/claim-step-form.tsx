import type { OrderView } from '@garantia/shared/orders/schema'
import { ClaimForm } from './claim-form.tsx'
import type { ClaimSubject } from './claim-subject.ts'
import { CreditNoteForm } from './credit-note-form.tsx'
import { CorrectionForm, DecisionForm } from './decision-form.tsx'
import { DebitForm, PaymentForm, WriteOffForm } from './money-forms.tsx'
import { EntryCorrectionForm, ReconcileForm, WithdrawForm } from './reason-forms.tsx'
import { SendForm } from './send-form.tsx'

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
    case 'credit_note':
      return <CreditNoteForm {...props} />
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
