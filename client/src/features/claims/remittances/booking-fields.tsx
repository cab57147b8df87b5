import { InputGroup } from '@blueprintjs/core'
import { Field } from '../../../ui/form/field.tsx'

/** Number of the remittance and the day of the payment, as the form below them sends them. */
export function BookingFields(props: {
  number: string
  paidOn: string
  wrongDay: string | undefined
  onNumber: (text: string) => void
  onPaidOn: (text: string) => void
}) {
  return (
    <div className="form-grid">
      <Field label="Número do demonstrativo" span={4}>
        {(control) => (
          <InputGroup
            {...control}
            fill
            autoComplete="off"
            maxLength={60}
            value={props.number}
            onChange={({ currentTarget }) => props.onNumber(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Pago em" isRequired span={4} error={props.wrongDay}>
        {(control) => (
          <InputGroup
            {...control}
            fill
            autoComplete="off"
            inputMode="numeric"
            placeholder="dd/mm/aaaa"
            maxLength={10}
            value={props.paidOn}
            onChange={({ currentTarget }) => props.onPaidOn(currentTarget.value)}
          />
        )}
      </Field>
    </div>
  )
}
