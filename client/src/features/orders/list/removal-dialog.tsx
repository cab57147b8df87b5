import { TrashIcon } from '@blueprintjs/icons'
import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { useRef } from 'react'
import { deletionMessage } from '../../../lib/deletion-message.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { nameOf } from './order-display.ts'

interface Props {
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  orders: readonly OrderRow[]
  onRemoveMany: (orders: readonly OrderRow[]) => unknown
  onRemoved: (order: OrderRow) => void
  onClose: () => void
}

/** LIST-15: names what will be deleted, and says that it cannot be undone. */
export function RemovalDialog({ orders, onRemoveMany, onRemoved, onClose }: Props) {
  const last = useRef(orders)
  if (orders.length > 0) last.current = orders
  const [first, ...rest] = last.current
  const utils = trpc.useUtils()
  const removal = trpc.orders.remove.useMutation({
    onSuccess: () => {
      void utils.orderList.invalidate()
      toast.success({ title: 'Sucesso!', description: deletionMessage('OS') })
      if (first) onRemoved(first)
      onClose()
    },
    onError: (error) => {
      toast.error({ title: 'Erro ao excluir OS', description: <Refusal reason={messageOf(error)} /> })
      onClose()
    },
  })
  const isOne = rest.length === 0
  const many = counted(last.current.length, 'ordem de serviço', 'ordens de serviço')
  return (
    <ConfirmDialog
      isOpen={orders.length > 0}
      title={isOne && first ? `Excluir a ${nameOf(first)}?` : `Excluir ${many}?`}
      icon={<TrashIcon />}
      confirmText="Excluir"
      onConfirm={() => (isOne && first ? removal.mutateAsync({ id: first.id }) : onRemoveMany(orders))}
      onCancel={onClose}
    >
      {isOne && first ? (
        <>
          A {nameOf(first)}
          {first.customer_name && ` de ${first.customer_name}`} sai da lista com todas as suas evidências.
        </>
      ) : (
        <>
          Saem da lista, com todas as suas evidências:{' '}
          <span className="numeric">{last.current.map(({ os_number }) => os_number).join(', ')}</span>.
        </>
      )}{' '}
      Esta ação não pode ser desfeita.
    </ConfirmDialog>
  )
}

/** LIST-22, followed by the server's reason. */
const Refusal = ({ reason }: { reason: string }) => (
  <>
    <span>Não foi possível excluir a ordem de serviço</span>
    <br />
    <span>{reason}</span>
  </>
)
