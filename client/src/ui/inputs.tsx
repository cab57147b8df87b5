import { HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import type { HTMLInputTypeAttribute, ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ControlProps } from './field.tsx'

interface Base {
  /** From <Field>: id and the words tied to it. */
  control: ControlProps
  /** From react-hook-form's register(). */
  field: UseFormRegisterReturn
}

interface TextProps extends Base {
  type?: HTMLInputTypeAttribute
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel'
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  maxLength?: number
  size?: 'medium' | 'large'
  rightElement?: React.JSX.Element
}

export function TextInput({ control, field: { ref, ...field }, autoComplete = 'off', ...rest }: TextProps) {
  return <InputGroup {...control} {...field} {...rest} autoComplete={autoComplete} inputRef={ref} fill />
}

export function TextBox({ control, field: { ref, ...field }, rows = 3 }: Base & { rows?: number }) {
  return <TextArea {...control} {...field} rows={rows} inputRef={ref} fill />
}

interface SelectProps extends Base {
  /** The first, empty choice. */
  placeholder: string
  options: readonly { value: number | string; label: string }[]
  isDisabled?: boolean
  children?: ReactNode
}

/** The native select: Blueprint's own fails the accessibility checks (interface notes, section 4). */
export function SelectInput({ control, field, placeholder, options, isDisabled }: SelectProps) {
  return (
    <HTMLSelect {...control} {...field} disabled={isDisabled} fill>
      <option value="">{placeholder}</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  )
}
