import { InputGroup } from '@blueprintjs/core'
import type { MaskitoOptions } from '@maskito/core'
import { useMaskito } from '@maskito/react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ControlProps } from './field.tsx'
import { PHONE } from './masks.ts'

interface Props {
  control: ControlProps
  field: UseFormRegisterReturn
  mask: MaskitoOptions
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email'
  placeholder?: string
  autoFocus?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
}

/** Props of every phone field. */
export const PHONE_FIELD = { mask: PHONE, inputMode: 'tel', placeholder: '(11) 98765-4321' } as const

/** The form state holds the masked text; the form's schema removes the mask. */
export function MaskedInput({
  control,
  field: { ref, onChange, ...field },
  mask,
  isDisabled,
  isReadOnly,
  ...rest
}: Props) {
  const maskRef = useMaskito({ options: mask })
  // register() returns a new ref on every render; the mask must not be removed and attached again with it.
  const formRef = useRef(ref)
  formRef.current = ref
  const shown = useRef<HTMLInputElement>(null)
  const bothRefs = useCallback(
    (input: HTMLInputElement | null) => {
      shown.current = input
      maskRef(input)
      formRef.current(input)
    },
    [maskRef],
  )
  // A form reset forgets its inputs; unmasked inputs register again through their new ref, this one must do
  // it here.
  useLayoutEffect(() => ref(shown.current))
  return (
    <InputGroup
      {...control}
      {...field}
      {...rest}
      disabled={isDisabled}
      readOnly={isReadOnly}
      autoComplete="off"
      onInput={onChange}
      inputRef={bothRefs}
      fill
    />
  )
}
