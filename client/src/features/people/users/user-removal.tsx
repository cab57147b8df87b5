import { deletionMessage } from '../../../lib/deletion-message.ts'
import { trpc } from '../../../lib/trpc.ts'
import { DeleteDialog, outcomeOf } from '../../../ui/overlay/delete-dialog.tsx'
import { nameOf } from './user-badges.tsx'
import type { UserRow } from './user-row.ts'

interface Props {
  /** Null keeps the dialog closed. */
  user: UserRow | null
  onClose: () => void
}

export function UserRemoval({ user, onClose }: Props) {
  const utils = trpc.useUtils()
  const outcome = outcomeOf({
    deleted: deletionMessage('Usuário'),
    deactivated: 'Usuário atualizado com sucesso.',
    kept: 'O usuário não foi excluído.',
    onDone: () => {
      void utils.users.invalidate()
      close()
    },
  })
  const removal = trpc.users.remove.useMutation(outcome.removal)
  const deactivation = trpc.users.change.useMutation(outcome.deactivation)
  const close = () => {
    onClose()
    removal.reset()
  }
  return (
    <DeleteDialog
      row={user}
      nameOf={nameOf}
      isActive={({ is_active }) => is_active}
      refusal={removal.error}
      onRemove={({ id }) => removal.mutateAsync({ id })}
      onDeactivate={({ id }) => deactivation.mutateAsync({ id, change: { is_active: false } })}
      onClose={close}
    >
      A pessoa perde o acesso e deixa de existir no sistema. Esta ação não pode ser desfeita.
    </DeleteDialog>
  )
}
