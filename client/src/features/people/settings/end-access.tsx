import { Button, Checkbox } from '@blueprintjs/core'
import { STANDING_LABEL } from '@garantia/shared/auth/schema'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { signOut } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'

/** Ends every session at once, for who fears that somebody else uses the account. */
export function EndAccess() {
  const [isAsking, setIsAsking] = useState(false)
  const [revoke_tokens, setRevokeTokens] = useState(true)
  const end = trpc.account.endAccess.useMutation({
    onSuccess: () => {
      toast.success({ title: 'Sessões encerradas', description: 'Entre de novo para continuar.' })
      signOut()
    },
    onError: (error) => {
      setIsAsking(false)
      toast.error({ title: 'Erro', description: messageOf(error) })
    },
  })
  return (
    <div className="settings-actions">
      <Button
        variant="minimal"
        intent="danger"
        text="Encerrar todas as sessões"
        onClick={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title="Encerrar todas as sessões?"
        confirmText="Encerrar todas"
        onConfirm={() => end.mutateAsync({ revoke_tokens })}
        onCancel={() => setIsAsking(false)}
      >
        <p className="dialog-lead">
          Você sai agora em todos os aparelhos, inclusive neste, e entra de novo com a sua senha.
        </p>
        <Checkbox
          label={STANDING_LABEL}
          checked={revoke_tokens}
          onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
        />
      </ConfirmDialog>
    </div>
  )
}
