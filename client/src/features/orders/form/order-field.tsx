import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { MaskitoOptions } from '@maskito/core'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type ControlProps, Field } from '../../../ui/form/field.tsx'
import { TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import type { OrderEntry, OrderFields } from './order-form-schema.ts'

export type OrderForm = UseFormReturn<OrderFields, unknown, OrderEntry>
export type FieldName = keyof OrderFields

/** Props of a group of fields, given by the dialog or page that renders it. */
export interface GroupProps {
  form: OrderForm
  /** Absent for a new order. */
  order?: OrderView | undefined
  required: readonly FieldName[]
  /** A closed order is read-only (EDP-3). */
  isLocked?: boolean
}
interface FieldProps extends GroupProps {
  name: FieldName
  span?: 2 | 3 | 4 | 5 | 6 | 8 | 12
  help?: ReactNode
  error?: string | undefined
  children: (control: ControlProps) => ReactNode
}

export const OrderField = ({ form, order, required, name, span, help, error, children }: FieldProps) => (
  <Field
    label={FIELD_LABEL[name]}
    isRequired={required.includes(name) && !(order && name === 'os_number')}
    span={span ?? 12}
    help={help}
    error={form.formState.errors[name]?.message ?? error}
  >
    {children}
  </Field>
)

interface InputProps extends Omit<FieldProps, 'children'> {
  mask?: MaskitoOptions
  isLong?: boolean
  isReadOnly?: boolean
  inputMode?: 'numeric' | 'decimal' | 'tel' | 'email'
  placeholder?: string
  autoFocus?: boolean
}

export function OrderInputField({ mask, isLong, inputMode, placeholder, autoFocus, ...props }: InputProps) {
  const { form, name, isLocked = false, isReadOnly = false } = props
  const field = form.register(name)
  const hints = { ...(inputMode && { inputMode }), ...(placeholder && { placeholder }) }
  const common = { field, isDisabled: isLocked, ...(autoFocus && { autoFocus }) }
  return (
    <OrderField {...props}>
      {(control) => {
        if (isLong) return <TextBox control={control} {...common} />
        if (mask)
          return <MaskedInput control={control} {...common} {...hints} mask={mask} isReadOnly={isReadOnly} />
        return <TextInput control={control} {...common} {...hints} />
      }}
    </OrderField>
  )
}
