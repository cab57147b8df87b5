import type { DecisionCorrection, DecisionInput } from '@garantia/shared/claims/answers'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { CLAIM_STATE } from '@garantia/shared/claims/state'
import { brl, date } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import { DayField } from '../../../ui/form/day-field.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { MONEY, moneyIn } from '../../../ui/form/masks.ts'
import { SwitchInput } from '../../../ui/form/toggles.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { lineFacts } from './claim-words.ts'
import {
  answerOf,
  correctionForm,
  type DecisionFields,
  decisionForm,
  isPaid,
  OUTCOMES,
  type Outcome,
} from './decision-form-schema.ts'
import { ReasonFields } from './reason-fields.tsx'
import { useClaimChange } from './use-claim-change.ts'
import './decision-form.css'

const optionsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((value) => ({ value, label: OUTCOMES[value] }))
const ANSWERS = optionsOf(Object.keys(OUTCOMES) as Outcome[])
const DECISIONS = optionsOf(['accepted', 'partial', 'rejected'])
const isDecided = (state: ClaimView['state']): state is 'accepted' | 'partial' | 'rejected' =>
  state === 'accepted' || state === 'partial' || state === 'rejected'

interface Props {
  claim: ClaimView
  onDone: () => void
}

/** Records what the brand answered; everything is accepted unless something else is chosen. */
export function DecisionForm({ claim, initial, onDone }: Props & { initial: Outcome }) {
  const schema = useMemo(() => decisionForm(claim.lines), [claim.lines])
  const [before] = useState(() => answerOf(claim, initial, false))
  const form = useForm<DecisionFields, unknown, DecisionInput>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: before,
  })
  useFormDraft(`claim-answer-${claim.id}`, form)
  const decide = trpc.claims.decide.useMutation(useClaimChange('Resposta registrada', onDone))
  const submit = form.handleSubmit((input) =>
    decide.mutateAsync({ id: claim.id, version: claim.version, ...input }),
  )
  return (
    <ModalForm
      submitText="Registrar resposta"
      isDirty={form.formState.isDirty && !decide.isSuccess}
      onSubmit={submit}
    >
      <Fields form={form as unknown as Form} claim={claim} isCorrection={false} />
    </ModalForm>
  )
}

/** Another answer instead of a wrong one, with the reason of the correction. */
export function CorrectionForm({ claim, onDone }: Props) {
  const schema = useMemo(() => correctionForm(claim), [claim])
  const [before] = useState(() => answerOf(claim, isDecided(claim.state) ? claim.state : 'partial', true))
  const form = useForm<DecisionFields, unknown, DecisionCorrection>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: before,
  })
  useFormDraft(`claim-correction-${claim.id}`, form)
  const correct = trpc.claims.correctDecision.useMutation(useClaimChange('Resposta corrigida', onDone))
  const submit = form.handleSubmit((input) =>
    correct.mutateAsync({ id: claim.id, version: claim.version, ...input }),
  )
  return (
    <ModalForm
      submitText="Corrigir resposta"
      isDirty={form.formState.isDirty && !correct.isSuccess}
      onSubmit={submit}
    >
      <p className="dialog-lead numeric">{correctedText(claim)}</p>
      <Fields form={form as unknown as Form} claim={claim} isCorrection />
    </ModalForm>
  )
}

/** Which answer is replaced: «Aceita em parte em 24/11/2026, R$ 1.350,00 autorizados de R$ 1.550,50.» */
function correctedText({ decisions, claimed, authorised, os_number }: ClaimView) {
  const last = decisions.at(-1)
  if (!last) return null
  const given = `OS ${os_number}: ${CLAIM_STATE[last.outcome].label.toLowerCase()} em ${date(last.decided_at)}`
  return `${given}, ${brl(authorised)} autorizados de ${brl(claimed)}. Esta resposta fica no histórico, e a nova vale em seu lugar.`
}

/** What the two forms have in common; their inputs differ. */
type Form = UseFormReturn<DecisionFields>

function Fields({ form, claim, isCorrection }: { form: Form; claim: ClaimView; isCorrection: boolean }) {
  const { register, control, formState } = form
  const { errors } = formState
  const [outcome, reason, is_paid] = useWatch({ control, name: ['outcome', 'reason', 'is_paid'] })
  return (
    <div className="form-grid">
      <Field label="Resposta da marca" span={6} error={errors.outcome?.message}>
        {(attributes) => (
          <SelectInput
            control={attributes}
            field={register('outcome')}
            options={isCorrection ? DECISIONS : ANSWERS}
          />
        )}
      </Field>
      {isCorrection && (
        <Field label="Motivo da correção" span={6} isRequired error={errors.correction?.message}>
          {(attributes) => <TextBox control={attributes} field={register('correction')} rows={2} />}
        </Field>
      )}
      {outcome === 'accepted' && !isCorrection && (
        <div className="span-6 decision-paid">
          <SwitchInput field={register('is_paid')} label="Registrar também o pagamento" />
        </div>
      )}
      {isPaid({ outcome, is_paid }) && <PaidFields form={form} />}
      {outcome === 'rejected' && (
        <ReasonFields
          reason={register('reason')}
          category={register('evidence_category')}
          chosen={reason}
          errors={{ reason: errors.reason?.message, category: errors.evidence_category?.message }}
        />
      )}
      {outcome === 'partial' &&
        claim.lines.map(({ id }, index) => <Line key={id} form={form} claim={claim} index={index} />)}
      <Field
        label={outcome === 'returned' ? 'O que a marca pede' : 'Palavras da marca'}
        isRequired={outcome === 'returned'}
        error={errors.brand_words?.message}
      >
        {(attributes) => (
          <TextBox
            control={attributes}
            field={register('brand_words')}
            rows={outcome === 'returned' ? 4 : 2}
          />
        )}
      </Field>
      <DayField label="Data" span={3} field={register('decided_on')} error={errors.decided_on?.message} />
      {!isCorrection && (
        <Field label="Número na marca" span={3} error={errors.brand_number?.message}>
          {(attributes) => <TextInput control={attributes} field={register('brand_number')} maxLength={60} />}
        </Field>
      )}
      {outcome !== 'in_review' && (
        <Field label="Código da marca" span={6} error={errors.brand_code?.message}>
          {(attributes) => <TextInput control={attributes} field={register('brand_code')} maxLength={60} />}
        </Field>
      )}
    </div>
  )
}

/** What was paid with the answer; as a payment of its own it has one amount for all lines. */
function PaidFields({ form: { register, formState } }: { form: Form }) {
  const errors = formState.errors.payment
  return (
    <>
      <Field label="Valor pago" span={6} isRequired error={errors?.amount?.message}>
        {(attributes) => (
          <MaskedInput
            control={attributes}
            field={register('payment.amount')}
            mask={MONEY}
            inputMode="decimal"
          />
        )}
      </Field>
      <DayField
        label="Data do pagamento"
        span={6}
        isRequired
        field={register('payment.booked_on')}
        error={errors?.booked_on?.message}
      />
    </>
  )
}

/** One line: what is authorised of it, and why not all. */
function Line({ form, claim, index }: { form: Form; claim: ClaimView; index: number }) {
  const { register, control, formState } = form
  const line = claim.lines[index]
  const typed = useWatch({ control, name: `lines.${index}` })
  const errors = formState.errors.lines?.[index]
  if (!line || !typed) return null
  const isLess = moneyIn(typed.authorised) !== line.claimed
  return (
    <fieldset className="decision-line span-12">
      <legend className="decision-line-name">
        {line.description} <span className="muted">{lineFacts(line)}</span>
      </legend>
      <div className="form-grid">
        <Field label={`Autorizado de ${brl(line.claimed)}`} span={6} error={errors?.authorised?.message}>
          {(attributes) => (
            <MaskedInput
              control={attributes}
              field={register(`lines.${index}.authorised`)}
              mask={MONEY}
              inputMode="decimal"
            />
          )}
        </Field>
        {(isLess || errors?.reason) && (
          <ReasonFields
            reason={register(`lines.${index}.reason`)}
            category={register(`lines.${index}.evidence_category`)}
            chosen={typed.reason}
            errors={{ reason: errors?.reason?.message, category: errors?.evidence_category?.message }}
          />
        )}
      </div>
    </fieldset>
  )
}
