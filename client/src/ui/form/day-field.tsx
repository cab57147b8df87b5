import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field, type FieldProps } from './field.tsx'
import { MaskedInput } from './masked-input.tsx'
import { DAY } from './masks.ts'

interface Props extends Omit<FieldProps, 'children'> {
  field: UseFormRegisterReturn
  isReadOnly?: boolean
}

/** A day as it is typed, dd/mm/aaaa. */
export const DayField = ({ field, isReadOnly = false, ...labelled }: Props) => (
  <Field {...labelled}>
    {(control) => (
      <MaskedInput
        control={control}
        field={field}
        mask={DAY}
        inputMode="numeric"
        placeholder="dd/mm/aaaa"
        isReadOnly={isReadOnly}
      />
    )}
  </Field>
)
