import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { setPendingUploadIntent } from '../../../lib/pending-upload-intent.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import type { RowKey } from '../../../ui/table/table-keys.ts'
import { nameOf } from './order-display.ts'
import { type OrderRowActions, unavailableReason } from './order-row-actions.ts'

type ManyAction = (orders: readonly ListedOrder[]) => void
interface Acts extends Pick<OrderRowActions, 'download' | 'peek'> {
  changeStatus: ManyAction
  assign: ManyAction
  remove: ManyAction
  downloadMany: ManyAction
}

/** The actions of a row, and the keys for them; on a row of a selection the keys act on all of it. */
export function useRowActions(selection: RowSelection<ListedOrder>, acts: Acts) {
  const navigate = useNavigate()
  const actor = useActor()
  const { download, peek, changeStatus, assign, remove } = acts
  // The same object as long as it can be: every cell would be rendered again with another.
  const actions: OrderRowActions = useMemo(
    () => ({
      download,
      peek,
      edit: ({ id }) => void navigate({ to: '/os/$id/edit', params: { id } }),
      changeStatus: (order) => changeStatus([order]),
      assign: (order) => assign([order]),
      remove: (order) => remove([order]),
      upload: ({ id }) => {
        setPendingUploadIntent(id)
        void navigate({ to: '/os/$id', params: { id }, search: { tab: 'evidencias' } })
      },
    }),
    [download, peek, changeStatus, assign, remove, navigate],
  )
  /** A shortcut that is not available shows the reason instead. */
  const ifAllowed = (action: keyof typeof unavailableReason) => (order: ListedOrder) => {
    const reason = unavailableReason[action](actor, order)
    if (reason === null) actions[action](order)
    else toast.warning({ title: nameOf(order), description: reason })
  }
  const orAll = (many: ManyAction, action: keyof typeof unavailableReason) => (order: ListedOrder) =>
    selection.rows.length > 1 && selection.has(order) ? many(selection.rows) : ifAllowed(action)(order)
  const keys: RowKey<ListedOrder>[] = [
    { keys: 'e', label: 'Editar', act: ifAllowed('edit') },
    { keys: 's', label: 'Mudar status', act: orAll(changeStatus, 'changeStatus') },
    { keys: 'a', label: 'Mudar responsável', act: orAll(assign, 'assign') },
    { keys: 'u', label: 'Enviar evidências', act: ifAllowed('upload') },
    { keys: 'd', label: 'Baixar Evidências (ZIP)', act: orAll(acts.downloadMany, 'download') },
    { keys: 'delete', label: 'Excluir', act: orAll(remove, 'remove') },
  ]
  return { actions, keys }
}
