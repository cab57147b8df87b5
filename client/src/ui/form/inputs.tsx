import { HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import type { HTMLInputTypeAttribute, ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ControlProps } from './field.tsx'

interface Base {
  /** From <Field>: id and ARIA attributes. */
  control: ControlProps
  /** From react-hook-form's register(). */
  field: UseFormRegisterReturn
}

interface TextProps extends Base {
  type?: HTMLInputTypeAttribute
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | 'url'
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  maxLength?: number
  size?: 'medium' | 'large'
  rightElement?: React.JSX.Element
  isDisabled?: boolean
  /** Suggested values; any other value may be typed too. */
  suggestions?: readonly string[]
}

export function TextInput({ control, field, isDisabled, suggestions, ...rest }: TextProps) {
  const { ref, ...registered } = field
  const listId = suggestions && `${control.id}-list`
  return (
    <>
      <InputGroup
        autoComplete="off"
        {...control}
        {...registered}
        {...rest}
        list={listId}
        disabled={isDisabled}
        inputRef={ref}
        fill
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </>
  )
}

interface BoxProps extends Base {
  rows?: number
  isDisabled?: boolean
  autoFocus?: boolean
}
export function TextBox({ control, field: { ref, ...field }, rows = 3, isDisabled, autoFocus }: BoxProps) {
  return (
    <TextArea
      {...control}
      {...field}
      rows={rows}
      disabled={isDisabled}
      autoFocus={autoFocus}
      inputRef={ref}
      fill
    />
  )
}

interface SelectProps extends Base {
  /** Text of the first, empty option; without it one of the options is always selected. */
  placeholder?: string
  options: readonly { value: number | string; label: string; isDisabled?: boolean }[]
  isDisabled?: boolean
  children?: ReactNode
}

/** A native select: Blueprint's own fails the accessibility checks. */
export function SelectInput({ control, field, placeholder, options, isDisabled }: SelectProps) {
  return (
    <HTMLSelect {...control} {...field} disabled={isDisabled} fill>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options.map(({ value, label, isDisabled }) => (
        <option key={value} value={value} disabled={isDisabled}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  )
}
