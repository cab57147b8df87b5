import { type CreditNoteInput, creditNoteInput } from '@garantia/shared/claims/entries'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { date, dayText } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { formOf } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { DayField } from '../../../ui/form/day-field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { typedDay, wrongDay } from './day-fields.ts'
import { useClaimChange } from './use-claim-change.ts'

interface CreditNoteFields {
  credit_note_on: string
}
const creditNoteForm = formOf<CreditNoteFields, CreditNoteInput>(
  creditNoteInput,
  ({ credit_note_on }) => ({ credit_note_on: typedDay(credit_note_on) }),
  ({ credit_note_on }) => ({ credit_note_on: wrongDay(credit_note_on) }),
)

/** Records the day of the brand's credit note, from which deadlines may run; a blank day removes it. */
export function CreditNoteForm({ claim, onDone }: { claim: ClaimView; onDone: () => void }) {
  const form = useForm<CreditNoteFields, unknown, CreditNoteInput>({
    resolver: zodResolver(creditNoteForm),
    mode: 'onTouched',
    defaultValues: {
      credit_note_on: claim.credit_note_on ? dayText(claim.credit_note_on) : date(new Date()),
    },
  })
  useFormDraft(`claim-credit-note-${claim.id}`, form)
  const record = trpc.claims.creditNote.useMutation(useClaimChange('Nota de crédito registrada', onDone))
  return (
    <ModalForm
      submitText="Registrar nota de crédito"
      isDirty={form.formState.isDirty && !record.isSuccess}
      onSubmit={form.handleSubmit((input) =>
        record.mutateAsync({ id: claim.id, version: claim.version, ...input }),
      )}
    >
      <p className="dialog-lead">
        Se a regra da marca o diz, correm deste dia os prazos da reconsideração e da guarda das peças.
      </p>
      <div className="form-grid">
        <DayField
          label="Data da nota de crédito"
          span={6}
          field={form.register('credit_note_on')}
          error={form.formState.errors.credit_note_on?.message}
        />
      </div>
    </ModalForm>
  )
}
