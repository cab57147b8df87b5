import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'

interface Password {
  /** Asked for only when its turn comes: a form goes to the first wrong field in the order they registered. */
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

/** A password that is chosen, and once more so that a slip of the finger shows. */
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
