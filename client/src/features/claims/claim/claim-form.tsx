import { Button } from '@blueprintjs/core'
import { PlusIcon, TrashIcon } from '@blueprintjs/icons'
import { type ClaimChange, LINES_MAX } from '@garantia/shared/claims/schema'
import { type ClaimType, LINE_KIND, LINE_KINDS } from '@garantia/shared/claims/state'
import { brl } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { MONEY } from '../../../ui/form/masks.ts'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import {
  blankLine,
  type ClaimFields,
  claimForm,
  fieldsOfClaim,
  fieldsOfNew,
  totalOfLines,
} from './claim-form-schema.ts'
import type { ClaimSubject } from './claim-subject.ts'
import { SinceLastSending } from './since-last-sending.tsx'
import { useClaimChange } from './use-claim-change.ts'
import './claim-form.css'

const KINDS = LINE_KINDS.map((value) => ({ value, label: LINE_KIND[value] }))
type Form = UseFormReturn<ClaimFields, unknown, ClaimChange>

interface Props {
  order: OrderView
  /** A new claim, or the draft to be edited. */
  subject: Extract<ClaimSubject, { kind: 'open' | 'step' }>
  onDone: () => void
}

const OPENING: Record<ClaimType, string> = {
  normal: 'Abrir solicitação',
  appeal: 'Abrir reconsideração',
  supplement: 'Abrir complemento',
}

/** A new claim, filled in from the order, or for an appeal from what is missing of the claim before; or a draft. */
export function ClaimForm({ order, subject, onDone }: Props) {
  const draft = subject.kind === 'step' ? subject.claim : null
  const { type, previous } = subject.kind === 'open' ? subject : { type: subject.claim.type, previous: null }
  const [before] = useState(() => (draft ? fieldsOfClaim(draft) : fieldsOfNew(order, type, previous)))
  const form: Form = useForm<ClaimFields, unknown, ClaimChange>({
    resolver: zodResolver(claimForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  const contested = type === 'appeal' ? (draft ?? previous) : null
  useFormDraft(draft ? `claim-draft-${draft.id}` : `claim-${order.id}-${type}`, form)
  const open = trpc.claims.open.useMutation(useClaimChange('Solicitação aberta', onDone))
  const change = trpc.claims.change.useMutation(useClaimChange('Rascunho salvo', onDone))
  const submit = form.handleSubmit(({ lines = [], note }) =>
    draft
      ? change.mutateAsync({ id: draft.id, version: draft.version, change: { lines, note } })
      : open.mutateAsync({ order_id: order.id, type, previous_id: previous?.id ?? null, lines, note }),
  )
  return (
    <ModalForm
      submitText={draft ? 'Salvar' : OPENING[type]}
      isDirty={form.formState.isDirty && !open.isSuccess && !change.isSuccess}
      onSubmit={submit}
      aside={<Total form={form} order={order} />}
    >
      <Lines form={form} mayAdd={type !== 'appeal'} />
      <div className="form-grid">
        <Field label="Observação" error={form.formState.errors.note?.message}>
          {(control) => <TextBox control={control} field={form.register('note')} rows={2} />}
        </Field>
      </div>
      {contested && <SinceLastSending claim={contested} />}
    </ModalForm>
  )
}

/** The sum of the lines, beside what the order comes to. */
function Total({ form, order }: { form: Form; order: OrderView }) {
  const lines = useWatch({ control: form.control, name: 'lines' })
  return (
    <span className="claim-total numeric">
      Itens <strong>{brl(totalOfLines(lines))}</strong>
      <span className="muted"> · OS {brl(order.total_value)}</span>
    </span>
  )
}

function Lines({ form, mayAdd }: { form: Form; mayAdd: boolean }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'lines' })
  const wrong = form.formState.errors.lines?.root?.message ?? form.formState.errors.lines?.message
  return (
    <>
      {fields.map((line, index) => (
        <Line key={line.id} form={form} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length === 0 && (
        <p className="muted claim-no-lines">Sem itens: o rascunho pode esperar por eles.</p>
      )}
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      {mayAdd && (
        <div className="claim-add">
          {LINE_KINDS.map((kind) => (
            <Button
              key={kind}
              size="small"
              icon={<PlusIcon />}
              text={LINE_KIND[kind]}
              aria-label={`Incluir ${LINE_KIND[kind].toLowerCase()}`}
              disabled={fields.length >= LINES_MAX}
              onClick={() => append(blankLine(kind), { focusName: `lines.${fields.length}.description` })}
            />
          ))}
        </div>
      )}
    </>
  )
}

function Line({ form, index, onRemove }: { form: Form; index: number; onRemove: () => void }) {
  const { register, control, formState } = form
  const kind = useWatch({ control, name: `lines.${index}.kind` })
  const errors = formState.errors.lines?.[index]
  const at = <Name extends keyof ClaimFields['lines'][number]>(name: Name) =>
    `lines.${index}.${name}` as const
  return (
    <fieldset className="claim-line">
      <legend className="visually-hidden">Item {index + 1}</legend>
      <Button
        className="claim-line-remove"
        variant="minimal"
        size="small"
        icon={<TrashIcon />}
        aria-label={`Excluir item ${index + 1}`}
        title="Excluir item"
        onClick={onRemove}
      />
      <div className="form-grid">
        <Field label="Tipo" span={3}>
          {(attributes) => <SelectInput control={attributes} field={register(at('kind'))} options={KINDS} />}
        </Field>
        <Field label="Descrição" span={6} isRequired error={errors?.description?.message}>
          {(attributes) => (
            <TextInput control={attributes} field={register(at('description'))} maxLength={255} />
          )}
        </Field>
        <Field label="Valor" span={3} isRequired error={errors?.claimed?.message}>
          {(attributes) => (
            <MaskedInput
              control={attributes}
              field={register(at('claimed'))}
              mask={MONEY}
              inputMode="decimal"
              placeholder="R$ 0,00"
            />
          )}
        </Field>
        {kind === 'part' && (
          <>
            <Field label="Número da peça" span={6} isRequired error={errors?.part_number?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('part_number'))} maxLength={60} />
              )}
            </Field>
            <Field label="Quantidade" span={3} isRequired error={errors?.quantity?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('quantity'))} inputMode="decimal" />
              )}
            </Field>
            <div className="span-3 claim-causal">
              <SwitchInput field={register(at('is_causal'))} label="Peça causal" />
            </div>
          </>
        )}
        {kind === 'labour' && (
          <>
            <Field label="Código de tempo (TMO)" span={6} isRequired error={errors?.labour_code?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('labour_code'))} maxLength={60} />
              )}
            </Field>
            <Field label="Horas" span={3} isRequired error={errors?.hours?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('hours'))} inputMode="decimal" />
              )}
            </Field>
          </>
        )}
        {kind === 'third_party' && (
          <>
            <Field label="Fornecedor" span={6} error={errors?.supplier?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('supplier'))} maxLength={255} />
              )}
            </Field>
            <Field label="Nota fiscal" span={3} error={errors?.document?.message}>
              {(attributes) => (
                <TextInput control={attributes} field={register(at('document'))} maxLength={60} />
              )}
            </Field>
          </>
        )}
      </div>
    </fieldset>
  )
}
