import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { nameOf } from './user-badges.tsx'
import type { UserRow } from './user-row.ts'

interface Props {
  /** Null keeps the dialog closed. */
  user: UserRow | null
  onClose: () => void
}

/** Lets somebody in again who has lost the telephone with their codes. */
export function FactorRemoval({ user, onClose }: Props) {
  const utils = trpc.useUtils()
  const remove = trpc.users.removeFactors.useMutation({
    onSuccess: () =>
      toast.success({
        title: 'Verificação em duas etapas removida',
        description: 'A pessoa entra de novo só com a senha.',
      }),
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: () => {
      onClose()
      void utils.users.invalidate()
    },
  })
  return (
    <ConfirmDialog
      isOpen={user !== null}
      title={`Remover a verificação em duas etapas de ${user ? nameOf(user) : ''}?`}
      confirmText="Remover"
      onConfirm={() => user && remove.mutateAsync({ id: user.id })}
      onCancel={onClose}
    >
      Os códigos e as chaves de acesso desta pessoa deixam de valer, as sessões e os tokens dela são
      encerrados, e a senha sozinha volta a abrir a conta. Confirme antes que é ela quem pede.
    </ConfirmDialog>
  )
}
