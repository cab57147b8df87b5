import { DIFFERENCE } from '@garantia/shared/claims/reasons'
import { type DifferenceResolution, differenceResolution } from '@garantia/shared/claims/remittance'
import { CLAIM_STATE, claimName } from '@garantia/shared/claims/state'
import { brl } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { chosen, formOf } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox } from '../../../ui/form/inputs.tsx'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { nameOf, type PendingResolution, RESOLUTION_LABEL } from './difference.ts'

interface Props {
  /** Null keeps the dialog closed. */
  pending: PendingResolution | null
  onClose: () => void
}

/** Asks what a person makes of a line that differs, and why. */
export function ResolutionDialog({ pending, onClose }: Props) {
  const last = useRef(pending)
  if (pending !== null) last.current = pending
  const shown = last.current
  if (shown === null) return null
  return (
    <FormModal
      isOpen={pending !== null}
      title={`Divergência de ${nameOf(shown.line)}`}
      unsavedLabel="a decisão"
      width="narrow"
      onClose={onClose}
    >
      <ResolutionForm key={`${shown.line.id} ${shown.resolution}`} {...shown} onDone={onClose} />
    </FormModal>
  )
}

interface Fields {
  resolution: DifferenceResolution['resolution']
  claim_id: string
  note: string
}
const form = formOf<Fields, DifferenceResolution>(
  differenceResolution,
  ({ claim_id, ...fields }) => ({ ...fields, claim_id: chosen(claim_id) }),
  () => ({}),
)
const OPTIONS = (['booked', 'written_off', 'ignored'] as const).map((value) => ({
  value,
  label: RESOLUTION_LABEL[value],
}))

function ResolutionForm({ line, resolution, onDone }: PendingResolution & { onDone: () => void }) {
  const { id, os_number, brand_number, claim, claim_id, amount, expected, difference } = line
  const state = useForm<Fields, unknown, DifferenceResolution>({
    resolver: zodResolver(form),
    mode: 'onTouched',
    // The reason that the comparison found is the suggestion.
    defaultValues: { resolution, claim_id: '', note: difference ? DIFFERENCE[difference] : '' },
  })
  const { register, control, formState, handleSubmit } = state
  useFormDraft(`difference-${id}`, state)
  const what = useWatch({ control, name: 'resolution' })
  const asksClaim = claim_id === null && what !== 'ignored'
  const found = trpc.claimList.page.useQuery(
    { search: os_number ?? brand_number ?? '', limit: 25 },
    { enabled: asksClaim },
  )
  const utils = trpc.useUtils()
  const resolve = trpc.remittances.resolve.useMutation({
    onSuccess() {
      void utils.remittances.invalidate()
      void utils.claims.invalidate()
      void utils.claimList.invalidate()
      toast.success({ title: 'Divergência resolvida', description: nameOf(line) })
      onDone()
    },
    onError: (error) => reportFailedSave('Erro ao resolver a divergência', error),
  })
  return (
    <ModalForm
      submitText="Resolver"
      isDirty={formState.isDirty && !resolve.isSuccess}
      onSubmit={handleSubmit((input) => resolve.mutateAsync({ id, ...input }))}
    >
      <p className="dialog-lead numeric">
        Pago {brl(amount)}
        {expected !== null && `, esperado ${brl(expected)}`}
        {claim && ` na ${claim}`}.
      </p>
      <div className="form-grid">
        <Field label="O que fazer">
          {(attributes) => (
            <SelectInput control={attributes} field={register('resolution')} options={OPTIONS} />
          )}
        </Field>
        {asksClaim && (
          <Field
            label="Solicitação"
            isRequired
            error={formState.errors.claim_id?.message}
            help={found.data?.total === 0 ? 'Nenhuma com este número.' : undefined}
          >
            {(attributes) => (
              <SelectInput
                control={attributes}
                field={register('claim_id')}
                placeholder={found.isPending ? 'Carregando…' : 'Escolha'}
                options={(found.data?.items ?? []).map((one) => ({
                  value: one.id,
                  label: `${claimName(one)} · ${CLAIM_STATE[one.state].label} · ${brl(one.open_amount)}`,
                }))}
              />
            )}
          </Field>
        )}
        <Field label="Motivo" isRequired error={formState.errors.note?.message}>
          {(attributes) => <TextBox control={attributes} field={register('note')} rows={2} />}
        </Field>
      </div>
    </ModalForm>
  )
}
