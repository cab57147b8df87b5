import {
  type DifferenceResolution,
  differenceResolution,
  type RemittanceLineView,
} from '@garantia/shared/claims/remittance'
import { brl } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { chosen, formOf } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { ClaimChoice } from './claim-choice.tsx'
import {
  nameOf,
  OFFERED,
  type PendingResolution,
  RESOLUTION_LABEL,
  reasonOf,
  sourceOf,
  titleOf,
} from './difference.ts'

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
      title={titleOf(shown.line)}
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
/** A line without a claim needs one to be booked on. */
const formOfLine = (hasClaim: boolean) =>
  formOf<Fields, DifferenceResolution>(
    differenceResolution,
    ({ claim_id, ...fields }) => ({ ...fields, claim_id: chosen(claim_id) }),
    ({ claim_id, resolution }) => ({
      claim_id: hasClaim || resolution === 'ignored' || claim_id ? null : 'Escolha a solicitação desta linha',
    }),
  )
const OPTIONS = OFFERED.map((value) => ({
  value,
  label: RESOLUTION_LABEL[value],
}))

function ResolutionForm({ line, resolution, onDone }: PendingResolution & { onDone: () => void }) {
  const { id, claim_id, amount, expected } = line
  const [resolver] = useState(() => zodResolver(formOfLine(claim_id !== null)))
  const state = useForm<Fields, unknown, DifferenceResolution>({
    resolver,
    mode: 'onTouched',
    // What the comparison found stands above: the reason is the person's own.
    defaultValues: { resolution, claim_id: '', note: '' },
  })
  const { register, control, formState, handleSubmit } = state
  useFormDraft(`difference-${id}`, state)
  const what = useWatch({ control, name: 'resolution' })
  const asksClaim = claim_id === null && what !== 'ignored'
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
        {reasonOf(line)}: pago {brl(amount)}
        {expected !== null && `, esperado ${brl(expected)}`}.
        <span className="cell-second difference-facts">
          {line.brand.display_name} · {line.company.trading_name}
        </span>
        <span className="cell-second difference-facts">{factsOf(line)}</span>
      </p>
      <div className="form-grid">
        <Field label="O que fazer">
          {(attributes) => (
            <SelectInput control={attributes} field={register('resolution')} options={OPTIONS} />
          )}
        </Field>
        {asksClaim && (
          <ClaimChoice line={line} field={register('claim_id')} error={formState.errors.claim_id?.message} />
        )}
        <Field label="Motivo" isRequired error={formState.errors.note?.message}>
          {(attributes) => <TextBox control={attributes} field={register('note')} rows={2} />}
        </Field>
      </div>
    </ModalForm>
  )
}

/** Which line, order and claim it is about. */
const factsOf = (line: RemittanceLineView) =>
  [
    sourceOf(line),
    line.os_number && `OS ${line.os_number}`,
    line.claim,
    line.brand_number && `Nº na marca ${line.brand_number}`,
    line.chassis_end && `Chassi ${line.chassis_end}`,
    line.document && `Documento ${line.document}`,
  ]
    .filter(Boolean)
    .join(' · ')
