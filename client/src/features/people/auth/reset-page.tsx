import { zodResolver } from '@hookform/resolvers/zod'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { AuthCard } from './auth-card.tsx'
import { resetProblem } from './auth-problems.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { resetForm } from './password-forms.ts'
import { SubmitButton } from './submit-button.tsx'

const route = getRouteApi('/open/reset-password')

export function ResetPage() {
  const { token } = route.useSearch()
  return (
    <AuthCard
      title="Redefinir senha"
      description={
        token
          ? 'Escolha uma nova senha. Todas as sessões abertas da sua conta serão encerradas.'
          : 'Este endereço está incompleto: falta o código que enviamos por email.'
      }
      links={
        <>
          <Link to="/login">Voltar para o login</Link>
          {token && <Link to="/recover-password">Pedir um novo link</Link>}
        </>
      }
    >
      {token ? (
        <ResetForm token={token} />
      ) : (
        <LinkButton to="/recover-password" intent="primary" size="large" fill text="Pedir um novo link" />
      )}
    </AuthCard>
  )
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const { register, handleSubmit, formState, trigger } = useForm({
    resolver: zodResolver(resetForm),
    mode: 'onTouched',
    defaultValues: { new_password: '', confirm_password: '' },
  })
  const { errors, touchedFields } = formState
  const change = trpc.auth.reset.useMutation({
    onSuccess: () => {
      toast.success({ title: 'Senha alterada com sucesso.' })
      // Returned, so that the form acts once until it is gone.
      return navigate({ to: '/login', replace: true })
    },
    onError: (error) => toast.error({ title: 'Error', description: resetProblem(error) }),
  })
  const { press, isBusy } = usePress(
    handleSubmit(({ new_password }) => change.mutateAsync({ token, new_password })),
  )
  return (
    <form noValidate onSubmit={submitting(press)}>
      <NewPasswordFields
        label="Nova senha"
        password={{
          field: () =>
            register('new_password', {
              onChange: () => void (touchedFields.confirm_password && trigger('confirm_password')),
            }),
          error: errors.new_password?.message,
        }}
        confirmation={{
          field: () => register('confirm_password'),
          error: errors.confirm_password?.message,
        }}
        autoFocus
        size="large"
      />
      <SubmitButton text="Redefinir senha" isBusy={isBusy} />
    </form>
  )
}
