import { attributedValue, PART_STATE, PART_STATES, type PartReturnView } from '@garantia/shared/claims/parts'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { brl } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { DayField } from '../../../ui/form/day-field.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { MONEY } from '../../../ui/form/masks.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { fieldsOfPart, type PartFields, type PartInput, partForm } from './part-form-schema.ts'

const STATES = PART_STATES.map((value) => ({ value, label: PART_STATE[value] }))
const NAMES = Object.keys({
  state: 0,
  place: 0,
  due_on: 0,
  attributed_value: 0,
  certificate_number: 0,
  certificate_issued_on: 0,
  certificate_until: 0,
  invoice_number: 0,
  invoice_key: 0,
  carrier: 0,
  sent_on: 0,
  received_on: 0,
  note: 0,
} satisfies Record<keyof PartFields, 0>) as (keyof PartFields)[]

interface Props {
  claim: ClaimView
  part: PartReturnView
  onDone: () => void
}

/** Where a replaced part lies, until when, and what the invoice of its return needs. */
export function PartForm({ claim, part, onDone }: Props) {
  const [before] = useState(() => fieldsOfPart(part))
  const form = useForm<PartFields, unknown, PartInput>({
    resolver: zodResolver(partForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  const { register, formState, handleSubmit, setError, getValues } = form
  const { errors } = formState
  useFormDraft(`part-${part.id}`, form)
  const utils = trpc.useUtils()
  const change = trpc.parts.change.useMutation({
    onSuccess() {
      void utils.parts.invalidate()
      void utils.deadlines.invalidate()
      void utils.orders.history.invalidate({ id: part.order_id })
      toast.success({ title: 'Peça salva', description: part.part_number })
      onDone()
    },
    onError(error) {
      void utils.parts.invalidate()
      markRefused(setError, error, NAMES, () => undefined)
      reportFailedSave('Erro ao salvar a peça', error)
    },
  })
  const claimed = claim.lines.find(({ id }) => id === part.line_id)?.claimed
  const dayField = (
    name: 'due_on' | 'certificate_issued_on' | 'certificate_until' | 'sent_on' | 'received_on',
    label: string,
  ) => <DayField label={label} span={4} field={register(name)} error={errors[name]?.message} />
  return (
    <ModalForm
      submitText="Salvar"
      isDirty={formState.isDirty && !change.isSuccess}
      onSubmit={handleSubmit((input) =>
        change.mutateAsync({
          id: part.id,
          version: part.version,
          ...changedFields(before, getValues(), input),
        }),
      )}
    >
      <p className="dialog-lead">
        {part.description} · {part.part_number}
      </p>
      <div className="form-grid">
        <Field label="Situação" span={4} error={errors.state?.message}>
          {(attributes) => <SelectInput control={attributes} field={register('state')} options={STATES} />}
        </Field>
        <Field label="Lugar na prateleira" span={4} error={errors.place?.message}>
          {(attributes) => <TextInput control={attributes} field={register('place')} maxLength={60} />}
        </Field>
        {dayField('due_on', 'Guardar até')}
        {dayField('sent_on', 'Devolvida em')}
        {dayField('received_on', 'Recebida pela marca em')}
        <Field label="Transportadora" span={4} error={errors.carrier?.message}>
          {(attributes) => <TextInput control={attributes} field={register('carrier')} maxLength={120} />}
        </Field>
        <fieldset className="part-invoice span-12">
          <legend>Nota fiscal da devolução</legend>
          <div className="form-grid">
            <Field
              label="Valor atribuído"
              span={4}
              error={errors.attributed_value?.message}
              help={
                claimed
                  ? `10 % do solicitado: ${brl(attributedValue(claimed))}`
                  : '10 % do preço da peça nova'
              }
            >
              {(attributes) => (
                <MaskedInput
                  control={attributes}
                  field={register('attributed_value')}
                  mask={MONEY}
                  inputMode="decimal"
                  placeholder="R$ 0,00"
                />
              )}
            </Field>
            <Field label="Certificado de garantia" span={8} error={errors.certificate_number?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register('certificate_number')} maxLength={60} />
              )}
            </Field>
            {dayField('certificate_issued_on', 'Certificado emitido em')}
            {dayField('certificate_until', 'Certificado válido até')}
            <Field label="Número da NF" span={4} error={errors.invoice_number?.message}>
              {(attributes) => (
                <TextInput
                  control={attributes}
                  field={register('invoice_number')}
                  inputMode="numeric"
                  maxLength={20}
                />
              )}
            </Field>
            <Field
              label="Chave da NF"
              error={errors.invoice_key?.message}
              help="44 caracteres; o CNPJ nela pode ter letras. A nota é emitida no seu sistema fiscal."
            >
              {(attributes) => (
                <TextInput control={attributes} field={register('invoice_key')} maxLength={80} />
              )}
            </Field>
          </div>
        </fieldset>
        <Field label="Observação" error={errors.note?.message}>
          {(attributes) => <TextBox control={attributes} field={register('note')} rows={2} />}
        </Field>
      </div>
    </ModalForm>
  )
}
