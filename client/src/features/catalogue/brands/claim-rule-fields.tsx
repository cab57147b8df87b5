import {
  SUBMISSION_CHANNEL,
  SUBMISSION_CHANNELS,
  SUBMISSION_FIELD,
  SUBMISSION_FIELDS,
} from '@garantia/shared/claims/brand-rules'
import {
  FIRST_BEGINNINGS,
  WINDOW_BEGINNING_LABEL,
  WINDOW_EVENT,
  WINDOW_EVENTS,
  WINDOW_LABEL,
} from '@garantia/shared/claims/deadlines'
import { Controller } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { CheckList } from '../../../ui/form/toggles.tsx'
import { type BrandFormState, CLAIM_WINDOWS, firstMessage } from './brand-form-schema.ts'

const CHANNELS = SUBMISSION_CHANNELS.map((value) => ({ value, label: SUBMISSION_CHANNEL[value] }))
const FIELDS = SUBMISSION_FIELDS.map((value) => ({ value, label: SUBMISSION_FIELD[value] }))
const EVENTS = WINDOW_EVENTS.map((value) => ({ value, label: WINDOW_EVENT[value] }))
const BEGINNINGS = Object.keys(FIRST_BEGINNINGS) as (keyof typeof FIRST_BEGINNINGS)[]

/** What a brand has of warranty claims: its windows, its tolerance, and how a claim reaches it. */
export function ClaimRuleFields({ form: { register, control, formState } }: { form: BrandFormState }) {
  const { errors } = formState
  return (
    <>
      <h3 className="brand-section">Solicitações de garantia</h3>
      {CLAIM_WINDOWS.map((name) => (
        <Field
          key={name}
          label={WINDOW_LABEL[name]}
          span={6}
          help="Em branco: sem prazo."
          error={errors[name]?.message}
        >
          {(attributes) => <TextInput control={attributes} field={register(name)} inputMode="numeric" />}
        </Field>
      ))}
      {BEGINNINGS.map((name) => (
        <Field
          key={name}
          label={WINDOW_BEGINNING_LABEL[name]}
          span={6}
          help="Enquanto não houver, o prazo fica em aberto."
          error={errors[name]?.message}
        >
          {(attributes) => <SelectInput control={attributes} field={register(name)} options={EVENTS} />}
        </Field>
      ))}
      <Field
        label="Tolerância na conciliação (R$)"
        span={6}
        help="Diferença aceita sem decisão de uma pessoa."
        error={errors.payment_tolerance?.message}
      >
        {(attributes) => (
          <TextInput control={attributes} field={register('payment_tolerance')} inputMode="decimal" />
        )}
      </Field>
      <Field label="Canal de envio" span={6} error={errors.submission_channel?.message}>
        {(attributes) => (
          <SelectInput control={attributes} field={register('submission_channel')} options={CHANNELS} />
        )}
      </Field>
      <Field label="E-mail do analista" error={errors.submission_email?.message}>
        {(attributes) => (
          <TextInput control={attributes} field={register('submission_email')} inputMode="email" />
        )}
      </Field>
      <Controller
        control={control}
        name="submission_fields"
        render={({ field }) => (
          <CheckList
            legend="Dados que a marca pede, na ordem em que são marcados"
            help="Sem nenhum marcado, o envio mostra todos."
            error={firstMessage(errors.submission_fields)}
            options={FIELDS}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </>
  )
}
