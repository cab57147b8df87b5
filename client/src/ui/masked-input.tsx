import { InputGroup } from '@blueprintjs/core'
import type { MaskitoOptions } from '@maskito/core'
import { useMaskito } from '@maskito/react'
import { useCallback, useRef } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ControlProps } from './field.tsx'

interface Props {
  control: ControlProps
  field: UseFormRegisterReturn
  mask: MaskitoOptions
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel'
  placeholder?: string
  autoFocus?: boolean
  isDisabled?: boolean
}

/** The form holds the masked text; the form's schema takes the mask off. */
export function MaskedInput({
  control,
  field: { ref, onChange, ...field },
  mask,
  isDisabled,
  ...rest
}: Props) {
  const maskRef = useMaskito({ options: mask })
  // register() hands out a new ref on every render; the mask must not be torn down with it.
  const formRef = useRef(ref)
  formRef.current = ref
  const bothRefs = useCallback(
    (input: HTMLInputElement | null) => {
      maskRef(input)
      formRef.current(input)
    },
    [maskRef],
  )
  return (
    <InputGroup
      {...control}
      {...field}
      {...rest}
      disabled={isDisabled}
      autoComplete="off"
      onInput={onChange}
      inputRef={bothRefs}
      fill
    />
  )
}
