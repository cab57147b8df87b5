import { ENTRY_KIND, type EntryView } from '@garantia/shared/claims/entries'
import { type ClaimReason, type ClaimView, claimReason } from '@garantia/shared/claims/schema'
import { brl, dayText } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { lineFacts } from './claim-words.ts'
import { useClaimChange } from './use-claim-change.ts'

interface Props {
  claim: ClaimView
  onDone: () => void
}

export function WithdrawForm({ claim, onDone }: Props) {
  const withdraw = trpc.claims.withdraw.useMutation(useClaimChange('Solicitação retirada', onDone))
  return (
    <ReasonForm
      name={`claim-withdraw-${claim.id}`}
      submitText="Retirar"
      isSaved={withdraw.isSuccess}
      onSubmit={({ reason }) => withdraw.mutateAsync({ id: claim.id, reason })}
    >
      A solicitação deixa de contar como a receber. Outra pode ser aberta para a mesma OS.
    </ReasonForm>
  )
}
export function ReconcileForm({ claim, onDone }: Props) {
  const reconcile = trpc.claims.reconcile.useMutation(useClaimChange('Solicitação conciliada', onDone))
  return (
    <ReasonForm
      name={`claim-reconcile-${claim.id}`}
      submitText="Conciliar"
      given="Valores conferidos"
      isSaved={reconcile.isSuccess}
      onSubmit={({ reason }) => reconcile.mutateAsync({ id: claim.id, reason })}
    >
      Solicitado {brl(claim.claimed)}, autorizado {brl(claim.authorised)}, pago {brl(claim.paid)}.
    </ReasonForm>
  )
}
export function EntryCorrectionForm({ claim, entry, onDone }: Props & { entry: EntryView }) {
  const line = claim.lines.find(({ id }) => id === entry.line_id)
  const correct = trpc.claims.correctEntry.useMutation(useClaimChange('Lançamento corrigido', onDone))
  return (
    <ReasonForm
      name={`claim-entry-${entry.id}`}
      submitText="Anular lançamento"
      isSaved={correct.isSuccess}
      onSubmit={({ reason }) =>
        correct.mutateAsync({ id: claim.id, version: claim.version, entry_id: entry.id, reason })
      }
    >
      {line && (
        <span className="corrected-line">
          <strong>{line.description}</strong> <span className="muted">{lineFacts(line)}</span>
        </span>
      )}
      {ENTRY_KIND[entry.kind]} de {brl(entry.amount)} em {dayText(entry.booked_on)}, da OS {claim.os_number}:
      é anulado por inteiro. O valor certo, se houver, é lançado de novo.
    </ReasonForm>
  )
}

interface ReasonProps {
  /** Of its draft. */
  name: string
  submitText: string
  given?: string
  isSaved: boolean
  onSubmit: (input: ClaimReason) => unknown
  children: ReactNode
}
function ReasonForm({ name, submitText, given = '', isSaved, onSubmit, children }: ReasonProps) {
  const form = useForm<ClaimReason>({
    resolver: zodResolver(claimReason),
    mode: 'onTouched',
    defaultValues: { reason: given },
  })
  useFormDraft(name, form)
  return (
    <ModalForm
      submitText={submitText}
      isDirty={form.formState.isDirty && !isSaved}
      onSubmit={form.handleSubmit(onSubmit)}
    >
      <p className="dialog-lead">{children}</p>
      <Field label="Motivo" isRequired error={form.formState.errors.reason?.message}>
        {(control) => <TextBox control={control} field={form.register('reason')} />}
      </Field>
    </ModalForm>
  )
}
