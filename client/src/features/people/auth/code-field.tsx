import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'

interface Props {
  field: UseFormRegisterReturn
  error: string | undefined
  size?: 'medium' | 'large'
}

/** The code of an authenticator, or one of the recovery codes. */
export const CodeField = ({ field, error, size = 'medium' }: Props) => (
  <Field
    label="Código de verificação"
    error={error}
    help="Os seis dígitos do aplicativo autenticador, ou um dos seus códigos de recuperação."
  >
    {(control) => (
      <TextInput
        control={control}
        field={field}
        autoComplete="one-time-code"
        autoFocus
        maxLength={40}
        size={size}
      />
    )}
  </Field>
)
