import { TrashIcon } from '@blueprintjs/icons'
import type { SavedView, ViewList } from '@garantia/shared/views/schema'
import { deletionMessage } from '../../../lib/deletion-message.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'

const REST = {
  orders: 'As ordens de serviço não mudam.',
  claims: 'As solicitações não mudam.',
} satisfies Record<ViewList, string>

interface Props {
  list: ViewList
  view: SavedView | null
  onClose: () => void
}

/** Asks before a saved view is deleted; null keeps it closed. */
export function ViewRemoval({ list, view, onClose }: Props) {
  const utils = trpc.useUtils()
  const removal = trpc.savedViews.remove.useMutation({
    onSuccess: () => toast.success({ title: 'Sucesso!', description: deletionMessage('Vista') }),
    onError: (error) => toast.error({ title: 'Erro ao excluir vista', description: messageOf(error) }),
    onSettled: () => {
      void utils.savedViews.list.invalidate({ list })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={view !== null}
      title={`Excluir a vista «${view?.name ?? ''}»?`}
      icon={<TrashIcon />}
      confirmText="Excluir"
      onConfirm={() => view && removal.mutateAsync({ id: view.id })}
      onCancel={onClose}
    >
      {view?.is_shared ? 'Ela some também para os colegas da empresa.' : REST[list]}
    </ConfirmDialog>
  )
}
