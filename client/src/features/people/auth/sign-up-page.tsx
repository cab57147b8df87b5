import { zodResolver } from '@hookform/resolvers/zod'
import { Link, useNavigate } from '@tanstack/react-router'
import { markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { AuthCard } from './auth-card.tsx'
import { signUpProblem } from './auth-problems.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { signUpForm } from './password-forms.ts'
import { SubmitButton } from './submit-button.tsx'

export function SignUpPage() {
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError, setFocus, trigger } = useForm({
    resolver: zodResolver(signUpForm),
    mode: 'onTouched',
    defaultValues: { full_name: '', email: '', password: '', confirm_password: '' },
  })
  const { errors, touchedFields } = formState
  const signUp = trpc.auth.signUp.useMutation({
    onSuccess: ({ is_active }) => {
      toast.success({
        title: 'Account created.',
        description: is_active ? undefined : 'Um administrador precisa ativá-la antes do primeiro acesso.',
      })
      // Returned, so that the form acts once until it is gone.
      return navigate({ to: '/login' })
    },
    onError: (error) => {
      const [first] = markRefused(setError, error, ['full_name', 'email', 'password'], () => 'email')
      if (first) setFocus(first)
      toast.error({ title: 'Algo deu errado', description: signUpProblem(error) })
    },
  })
  const { press, isBusy } = usePress(handleSubmit((input) => signUp.mutateAsync(input)))
  return (
    <AuthCard
      title="Criar conta"
      description="Depois de criada, um administrador vincula a conta à sua empresa."
      links={<Link to="/login">Já tem uma conta? Entrar</Link>}
    >
      <form noValidate onSubmit={submitting(press)}>
        <Field label="Nome completo" error={errors.full_name?.message}>
          {(control) => (
            <TextInput
              control={control}
              field={register('full_name')}
              autoComplete="name"
              autoFocus
              size="large"
            />
          )}
        </Field>
        <Field label="Email" error={errors.email?.message}>
          {(control) => (
            <TextInput
              control={control}
              field={register('email')}
              type="email"
              autoComplete="username"
              size="large"
            />
          )}
        </Field>
        <NewPasswordFields
          label="Senha"
          password={{
            field: () =>
              register('password', {
                onChange: () => void (touchedFields.confirm_password && trigger('confirm_password')),
              }),
            error: errors.password?.message,
          }}
          confirmation={{
            field: () => register('confirm_password'),
            error: errors.confirm_password?.message,
          }}
          size="large"
        />
        <SubmitButton text="Criar conta" isBusy={isBusy} />
      </form>
    </AuthCard>
  )
}
