import { Callout } from '@blueprintjs/core'
import { loginInput } from '@garantia/shared/auth/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { safePath, signIn } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'
import { AuthCard } from './auth-card.tsx'
import { loginProblem } from './auth-problems.ts'
import { SubmitButton } from './submit-button.tsx'

const route = getRouteApi('/open/login')

export function LoginPage() {
  const { redirect } = route.useSearch()
  const router = useRouter()
  const login = trpc.auth.login.useMutation({
    onSuccess: ({ access_token }) => {
      signIn(access_token)
      router.history.replace(safePath(redirect))
    },
  })
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(loginInput),
    mode: 'onTouched',
    defaultValues: { username: '', password: '' },
  })
  const { errors } = formState
  return (
    <AuthCard
      title="Entrar"
      links={
        <>
          <Link to="/recover-password">Esqueceu a senha?</Link>
          <Link to="/signup">Criar conta</Link>
        </>
      }
    >
      <form noValidate onSubmit={(event) => void handleSubmit((input) => login.mutate(input))(event)}>
        {login.error && (
          <Callout compact intent="danger" role="alert">
            {loginProblem(login.error)}
          </Callout>
        )}
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
        <SubmitButton text="Entrar" isBusy={login.isPending} />
      </form>
    </AuthCard>
  )
}
