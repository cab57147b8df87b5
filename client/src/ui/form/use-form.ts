import type { Field, FieldErrors, FieldValues, UseFormProps, UseFormReturn } from 'react-hook-form'
import { get, useForm as useHookForm } from 'react-hook-form'

/**
 * react-hook-form's `useForm`, but a refused submit moves the focus once, at once. The library moves it a second
 * time by a timer, to the field that is first in error by then: on a busy page that comes while the user types in
 * the field they were sent to, and the rest of the word lands in another one.
 */
export function useForm<Fields extends FieldValues = FieldValues, Context = unknown, Output = Fields>(
  props: UseFormProps<Fields, Context, Output>,
): UseFormReturn<Fields, Context, Output> {
  const form = useHookForm<Fields, Context, Output>({ ...props, shouldFocusError: false })
  const { shouldFocusError = true } = props

  /** In the order of the fields on the page, which is the order they registered in. */
  const focusFirstError = (errors: FieldErrors<Fields>) => {
    for (const name of form.control._names.mount) {
      const field: Field | undefined = get(errors, name) ? get(form.control._fields, name) : undefined
      const { refs, ref } = field?._f ?? {}
      const input = refs?.find((one) => !one.disabled) ?? ref
      if (input?.focus) return input.focus()
    }
  }
  return {
    ...form,
    handleSubmit: (onValid, onInvalid) =>
      form.handleSubmit(onValid, async (errors, event) => {
        await onInvalid?.(errors, event)
        if (shouldFocusError) focusFirstError(errors)
      }),
  }
}
