import { Callout } from '@blueprintjs/core'
import { recoveryInput } from '@garantia/shared/auth/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { Link } from '@tanstack/react-router'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { AuthCard } from './auth-card.tsx'
import { recoveryProblem } from './auth-problems.ts'
import { SubmitButton } from './submit-button.tsx'

export function RecoveryPage() {
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(recoveryInput),
    mode: 'onTouched',
    defaultValues: { email: '' },
  })
  const recover = trpc.auth.recover.useMutation({
    onSuccess: () => reset(),
    onError: (error) => toast.error({ title: 'Erro', description: recoveryProblem(error) }),
  })
  const { press, isBusy } = usePress(handleSubmit((input) => recover.mutateAsync(input)))
  return (
    <AuthCard
      title="Recuperar senha"
      description="Informe o email da sua conta. Quem entra com nome de usuário pede a troca a um administrador."
      links={<Link to="/login">Voltar para o login</Link>}
    >
      <form noValidate onSubmit={submitting(press)}>
        <div role="status">
          {recover.isSuccess && (
            <Callout compact intent="success">
              Nós enviamos um email com instruções para recuperar a sua senha.
            </Callout>
          )}
        </div>
        <Field label="Email" error={formState.errors.email?.message}>
          {(control) => (
            <TextInput
              control={control}
              field={register('email')}
              type="email"
              autoComplete="username"
              autoFocus
              size="large"
            />
          )}
        </Field>
        <SubmitButton text="Enviar instruções" isBusy={isBusy} />
      </form>
    </AuthCard>
  )
}
