import { Button, Callout } from '@blueprintjs/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { messageOf, statusOf } from '../../../lib/messages.ts'
import { signOut } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import { AuthCard } from './auth-card.tsx'

const route = getRouteApi('/undo-login')

/** Where the notice of a changed login leads. A press is asked for, since mail servers visit links by themselves. */
export function UndoLoginPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const undo = trpc.account.undoLogin.useMutation({
    onSuccess: ({ reset_token }) => {
      signOut()
      toast.success({ title: 'Login desfeito', description: 'Todas as sessões e tokens foram encerrados.' })
      void navigate({ to: '/reset-password', search: { token: reset_token }, replace: true })
    },
  })
  const { press, isBusy } = usePress(() => undo.mutateAsync({ token }))
  // An ended link stays ended; after a failure of the network the button is pressed again.
  const hasEnded = statusOf(undo.error) === 400
  return (
    <AuthCard
      title="Desfazer a mudança de login"
      description="A conta volta ao seu email, todas as sessões e tokens são encerrados, e você escolhe uma nova senha."
      links={<Link to="/login">Voltar para o login</Link>}
    >
      {undo.error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(undo.error)}
        </Callout>
      )}
      {!hasEnded && (
        <Button
          intent="primary"
          size="large"
          fill
          text="Não fui eu: desfazer"
          loading={isBusy}
          onClick={press}
        />
      )}
    </AuthCard>
  )
}
