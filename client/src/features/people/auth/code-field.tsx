import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'

interface Props {
  field: UseFormRegisterReturn
  error: string | undefined
  /** False while no recovery codes exist yet. */
  hasRecovery?: boolean
  size?: 'medium' | 'large'
}

/** The code of an authenticator, or one of the recovery codes. */
export const CodeField = ({ field, error, hasRecovery = true, size = 'medium' }: Props) => (
  <Field
    label="Código de verificação"
    error={error}
    help={
      hasRecovery
        ? 'Os seis dígitos do aplicativo autenticador, ou um dos seus códigos de recuperação.'
        : 'Os seis dígitos que o aplicativo mostra agora.'
    }
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
