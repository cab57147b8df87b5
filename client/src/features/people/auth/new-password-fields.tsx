import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'

interface Password {
  /**
   * A function, called in render order: react-hook-form focuses the first invalid field in order of
   * registration.
   */
  field: () => UseFormRegisterReturn
  error: string | undefined
}
interface Props {
  label: 'Senha' | 'Nova senha'
  password: Password
  confirmation: Password
  isRequired?: boolean
  autoFocus?: boolean
  size?: 'medium' | 'large'
}

/** New password with confirmation. */
export function NewPasswordFields({ label, password, confirmation, isRequired, autoFocus, size }: Props) {
  return (
    <>
      <Field label={label} isRequired={isRequired} error={password.error}>
        {(control) => (
          <PasswordInput
            control={control}
            field={password.field()}
            autoComplete="new-password"
            placeholder="Mínimo de 8 caracteres"
            autoFocus={autoFocus}
            size={size}
          />
        )}
      </Field>
      <Field label="Confirmar senha" isRequired={isRequired} error={confirmation.error}>
        {(control) => (
          <PasswordInput
            control={control}
            field={confirmation.field()}
            autoComplete="new-password"
            size={size}
          />
        )}
      </Field>
    </>
  )
}
