import { Button, Callout } from '@blueprintjs/core'
import { loginInput } from '@garantia/shared/auth/schema'
import { CODE_NEEDED, CODE_WRONG } from '@garantia/shared/auth/second-factor'
import { zodResolver } from '@hookform/resolvers/zod'
import { detailOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { loginProblem } from './auth-problems.ts'
import { CodeField } from './code-field.tsx'
import { SubmitButton } from './submit-button.tsx'

/** Name and password, and after them the code of an account that asks for one. */
export function LoginForm({ onSignedIn }: { onSignedIn: (access_token: string) => void }) {
  const login = trpc.auth.login.useMutation({
    onSuccess: ({ access_token }) => onSignedIn(access_token),
  })
  const { register, handleSubmit, formState, resetField } = useForm({
    resolver: zodResolver(loginInput),
    mode: 'onTouched',
    defaultValues: { username: '', password: '' },
  })
  const { errors } = formState
  const detail = detailOf(login.error)
  const needsCode = detail === CODE_NEEDED || detail === CODE_WRONG || login.variables?.code !== undefined
  const { press, isBusy } = usePress(handleSubmit((input) => login.mutateAsync(input)))
  return (
    <form noValidate onSubmit={submitting(press)}>
      {login.error && detail !== CODE_NEEDED && detail !== CODE_WRONG && (
        <Callout compact intent="danger" role="alert">
          {loginProblem(login.error)}
        </Callout>
      )}
      {needsCode ? (
        <CodeField
          field={register('code')}
          error={errors.code?.message ?? (detail === CODE_WRONG ? CODE_WRONG : undefined)}
          size="large"
        />
      ) : (
        <>
          <Field label="Email ou nome de usuário" error={errors.username?.message}>
            {(control) => (
              <TextInput
                control={control}
                field={register('username')}
                autoComplete="username"
                autoFocus
                size="large"
              />
            )}
          </Field>
          <Field label="Senha" error={errors.password?.message}>
            {(control) => (
              <PasswordInput
                control={control}
                field={register('password')}
                autoComplete="current-password"
                size="large"
              />
            )}
          </Field>
        </>
      )}
      <SubmitButton text="Entrar" isBusy={isBusy} />
      {needsCode && (
        <Button
          variant="minimal"
          text="Voltar"
          disabled={isBusy}
          onClick={() => {
            resetField('code')
            login.reset()
          }}
        />
      )}
    </form>
  )
}
