import { Button, Callout } from '@blueprintjs/core'
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons'
import { loginInput } from '@garantia/shared/auth/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { safePath, signIn } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import './login.css'
import { loginProblem } from './login-problem.ts'

const route = getRouteApi('/open/login')

export function LoginPage() {
  useDocumentTitle('Entrar')
  const { redirect } = route.useSearch()
  const router = useRouter()
  const [isShown, setIsShown] = useState(false)
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
    <main className="login">
      <div className="login-card panel">
        <div className="login-name">
          <img src="/favicon.svg" alt="" width={36} height={36} />
          <div>
            <h1>Garantia</h1>
            <p className="muted">Ordens de serviço e evidências</p>
          </div>
        </div>
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
              <TextInput
                control={control}
                field={register('password')}
                type={isShown ? 'text' : 'password'}
                autoComplete="current-password"
                size="large"
                rightElement={
                  <Button
                    variant="minimal"
                    icon={isShown ? <EyeOffIcon /> : <EyeOpenIcon />}
                    aria-label={isShown ? 'Ocultar senha' : 'Mostrar senha'}
                    aria-pressed={isShown}
                    onClick={() => setIsShown(!isShown)}
                  />
                }
              />
            )}
          </Field>
          <Button type="submit" intent="primary" size="large" fill text="Entrar" loading={login.isPending} />
        </form>
        <Link className="login-forgot" to="/recover-password">
          Esqueceu a senha?
        </Link>
      </div>
    </main>
  )
}
