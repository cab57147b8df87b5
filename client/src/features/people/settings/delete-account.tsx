import { Button } from '@blueprintjs/core'
import { TrashIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { signOut } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { isUnsent } from '../../evidence/upload/upload-item.ts'
import { uploads } from '../../evidence/upload/uploads.ts'

export function DeleteAccount() {
  const [isAsking, setIsAsking] = useState(false)
  const leave = trpc.account.leave.useMutation({
    onSuccess: () => {
      toast.success({ title: 'Conta excluída com sucesso.' })
      // Nobody would ever send them.
      uploads.remove(isUnsent)
      signOut()
    },
    onError: (error) => {
      setIsAsking(false)
      toast.error({ title: 'Erro', description: messageOf(error) })
    },
  })
  return (
    <section className="settings-card panel" aria-labelledby="leave-title">
      <h2 id="leave-title">Excluir minha conta</h2>
      <p className="muted">
        O acesso termina na hora e o seu nome deixa o sistema. As ordens e evidências que você registrou
        ficam.
      </p>
      <div className="settings-actions">
        <Button
          variant="minimal"
          intent="danger"
          icon={<TrashIcon />}
          text="Excluir minha conta"
          onClick={() => setIsAsking(true)}
        />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Excluir minha conta?"
        confirmText="Excluir minha conta"
        icon={<TrashIcon />}
        onConfirm={() => leave.mutateAsync()}
        onCancel={() => setIsAsking(false)}
      >
        Você sai agora, em todos os aparelhos, e não poderá entrar de novo. Seu nome, CPF, telefone e email
        são apagados; o que você registrou nas ordens de serviço permanece. Isso não pode ser desfeito.
      </ConfirmDialog>
    </section>
  )
}
