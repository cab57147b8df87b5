import { TrashIcon } from '@blueprintjs/icons'
import type { SavedView } from '@garantia/shared/orders/views'
import { deletionMessage } from '../../../../lib/deletion-message.ts'
import { messageOf } from '../../../../lib/messages.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../../ui/overlay/confirm-dialog.tsx'

/** Asks before a saved view is deleted; null keeps it closed. */
export function ViewRemoval({ view, onClose }: { view: SavedView | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const removal = trpc.orderViews.remove.useMutation({
    onSuccess: () => toast.success({ title: 'Sucesso!', description: deletionMessage('Vista') }),
    onError: (error) => toast.error({ title: 'Erro ao excluir vista', description: messageOf(error) }),
    onSettled: () => {
      void utils.orderViews.list.invalidate()
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
      {view?.is_shared ? 'Ela some também para os colegas da empresa.' : 'As ordens de serviço não mudam.'}
    </ConfirmDialog>
  )
}
