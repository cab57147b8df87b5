import { messageOf, statusOf } from '../../lib/messages.ts'
import { trpc } from '../../lib/trpc.ts'
import { removed } from '../../lib/words.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { toast } from '../../ui/toaster.tsx'
import { nameOf } from './user-badges.tsx'
import type { UserRow } from './user-columns.tsx'

interface Props {
  /** Null keeps it closed. */
  user: UserRow | null
  onClose: () => void
}

export function UserRemoval({ user, onClose }: Props) {
  const utils = trpc.useUtils()
  const done = (description: string) => {
    void utils.users.invalidate()
    toast.success({ title: 'Sucesso!', description })
    close()
  }
  const fail = (description: string) => toast.error({ title: 'Erro', description })
  const removal = trpc.users.remove.useMutation({
    onSuccess: () => done(removed('Usuário')),
    // What ties it down is told in the dialog.
    onError: (error) => fail(statusOf(error) === 409 ? 'O usuário não foi excluído.' : messageOf(error)),
  })
  const deactivation = trpc.users.change.useMutation({
    onSuccess: () => done('Usuário atualizado com sucesso.'),
    onError: (error) => fail(messageOf(error)),
  })
  const close = () => {
    onClose()
    removal.reset()
  }
  return (
    <DeleteDialog
      row={user}
      nameOf={nameOf}
      isActive={({ is_active }) => is_active}
      removal={removal}
      deactivation={deactivation}
      onRemove={({ id }) => removal.mutate({ id })}
      onDeactivate={({ id }) => deactivation.mutate({ id, change: { is_active: false } })}
      onClose={close}
    >
      A pessoa perde o acesso e deixa de existir no sistema. Esta ação não pode ser desfeita.
    </DeleteDialog>
  )
}
