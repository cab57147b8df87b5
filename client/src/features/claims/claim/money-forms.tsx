import type { ClaimView } from '@garantia/shared/claims/schema'
import { STEP_LABEL } from '@garantia/shared/claims/steps'
import { brl } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type Resolver, type UseFormReturn, useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { DayField } from '../../../ui/form/day-field.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { MONEY } from '../../../ui/form/masks.ts'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { totalOfLines } from './claim-form-schema.ts'
import { lineFacts } from './claim-words.ts'
import {
  debitForm,
  fieldsOfMoney,
  type MoneyFields,
  type MoneyStep,
  paymentForm,
  writeOffForm,
} from './money-form-schema.ts'
import { useClaimChange } from './use-claim-change.ts'
import './decision-form.css'

interface Props {
  claim: ClaimView
  onDone: () => void
}

export function PaymentForm({ claim, onDone }: Props) {
  const form = useMoneyForm(claim, 'pay', zodResolver(paymentForm))
  const pay = trpc.claims.pay.useMutation(useClaimChange('Pagamento registrado', onDone))
  return (
    <MoneyForm
      form={form}
      claim={claim}
      step="pay"
      isSaved={pay.isSuccess}
      onSubmit={form.handleSubmit((input) =>
        pay.mutateAsync({ id: claim.id, version: claim.version, ...input }),
      )}
    />
  )
}
export function DebitForm({ claim, onDone }: Props) {
  const form = useMoneyForm(claim, 'debit', zodResolver(debitForm))
  const debit = trpc.claims.debit.useMutation(useClaimChange('Estorno registrado', onDone))
  return (
    <MoneyForm
      form={form}
      claim={claim}
      step="debit"
      isSaved={debit.isSuccess}
      onSubmit={form.handleSubmit((input) =>
        debit.mutateAsync({ id: claim.id, version: claim.version, ...input }),
      )}
    />
  )
}
export function WriteOffForm({ claim, onDone }: Props) {
  const form = useMoneyForm(claim, 'write_off', zodResolver(writeOffForm))
  const writeOff = trpc.claims.writeOff.useMutation(useClaimChange('Baixa registrada', onDone))
  return (
    <MoneyForm
      form={form}
      claim={claim}
      step="write_off"
      isSaved={writeOff.isSuccess}
      onSubmit={form.handleSubmit((input) =>
        writeOff.mutateAsync({ id: claim.id, version: claim.version, ...input }),
      )}
    />
  )
}

type Form<Input> = UseFormReturn<MoneyFields, unknown, Input>
function useMoneyForm<Input extends object>(
  claim: ClaimView,
  step: MoneyStep,
  resolver: Resolver<MoneyFields, unknown, Input>,
): Form<Input> {
  const [before] = useState(() => fieldsOfMoney(claim, step))
  const form = useForm<MoneyFields, unknown, Input>({ resolver, mode: 'onTouched', defaultValues: before })
  useFormDraft(`claim-${step}-${claim.id}`, form)
  return form
}

const MEANING = {
  write_off: 'O que a marca não vai pagar deixa de contar como em aberto.',
  debit:
    'O que a marca tomou de volta de um pagamento. Não volta a contar como em aberto: para contestar, reconsidere.',
}

interface FormProps<Input> {
  form: Form<Input>
  claim: ClaimView
  step: MoneyStep
  isSaved: boolean
  onSubmit: () => unknown
}

function MoneyForm<Input>({ form, claim, step, isSaved, onSubmit }: FormProps<Input>) {
  const { register, control, formState } = form
  const { errors } = formState
  const isByLine = useWatch({ control, name: 'is_by_line' })
  return (
    <ModalForm submitText={STEP_LABEL[step]} isDirty={formState.isDirty && !isSaved} onSubmit={onSubmit}>
      {step !== 'pay' && <p className="dialog-lead">{MEANING[step]}</p>}
      <div className="form-grid">
        {step === 'pay' && !isByLine && (
          <Field
            label="Valor pago"
            span={6}
            isRequired
            error={errors.amount?.message}
            help="Dividido pelos itens na proporção do que falta de cada um."
          >
            {(attributes) => (
              <MaskedInput control={attributes} field={register('amount')} mask={MONEY} inputMode="decimal" />
            )}
          </Field>
        )}
        {step !== 'write_off' && (
          <DayField
            label="Data"
            span={6}
            isRequired
            field={register('booked_on')}
            error={errors.booked_on?.message}
          />
        )}
        {step !== 'pay' && (
          <Field label="Motivo" isRequired error={errors.reason?.message}>
            {(attributes) => <TextBox control={attributes} field={register('reason')} rows={2} />}
          </Field>
        )}
        {step === 'pay' && (
          <SwitchInput field={register('is_by_line')} label="Informar o valor de cada item" />
        )}
        {isByLine && <Lines form={form} claim={claim} />}
      </div>
    </ModalForm>
  )
}

function Lines<Input>({ form, claim }: Pick<FormProps<Input>, 'form' | 'claim'>) {
  const { register, control, formState } = form
  const lines = useWatch({ control, name: 'lines' })
  const wrong = formState.errors.lines?.root?.message ?? formState.errors.lines?.message
  return (
    <>
      {claim.lines.map((line, index) => (
        <Field
          key={line.id}
          label={line.description}
          span={6}
          help={lineFacts(line)}
          error={formState.errors.lines?.[index]?.amount?.message}
        >
          {(attributes) => (
            <MaskedInput
              control={attributes}
              field={register(`lines.${index}.amount`)}
              mask={MONEY}
              inputMode="decimal"
              placeholder="R$ 0,00"
            />
          )}
        </Field>
      ))}
      <p className="span-12 numeric decision-total" role="status">
        Total <strong>{brl(totalOfLines(lines.map(({ amount }) => ({ claimed: amount }))))}</strong>
      </p>
      {wrong && (
        <p className="field-error span-12" role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}
