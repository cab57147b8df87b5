import { Button } from '@blueprintjs/core'
import { DownloadIcon, EditIcon, EyeOpenIcon, LockIcon, TrashIcon } from '@blueprintjs/icons'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { can } from '@garantia/shared/policy'
import { type ReactElement, use } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { useRowTabIndex } from '../../../ui/table/row-cursor.ts'
import { DownloadingOrderId, type OrderRowActions, unavailableReason } from './order-row-actions.ts'

interface Props {
  order: ListedOrder
  actions: OrderRowActions
}

/**
 * LIST-12 to LIST-15, without actions the server would refuse. Each has a place of its own: what this order does not
 * allow is only a sign with the reason, what is seldom there comes last, and what the person may never do has no place.
 */
export function RowActions({ order, actions }: Props) {
  const actor = useActor()
  const tabIndex = useRowTabIndex()
  const hint = useKeyHint()
  const downloading = use(DownloadingOrderId)
  const notEditable = unavailableReason.edit(actor, order)
  const notRemovable = unavailableReason.remove(actor, order)
  const mayEverRemove = can(actor, 'order.delete', { ...order, status: 'created' })
  const buttonProps = { variant: 'minimal', size: 'small', tabIndex } as const
  return (
    <span className="row-actions">
      <LinkButton
        to="/os/$id"
        params={{ id: order.id }}
        {...buttonProps}
        icon={<EyeOpenIcon />}
        aria-label={`Ver OS ${order.os_number}`}
        {...hint('Ver OS', 'enter')}
      />
      {notEditable === null ? (
        <LinkButton
          to="/os/$id/edit"
          params={{ id: order.id }}
          {...buttonProps}
          icon={<EditIcon />}
          aria-label={`Editar OS ${order.os_number}`}
          {...hint('Editar OS', 'e')}
        />
      ) : (
        <Unavailable icon={<EditIcon />} reason={notEditable} />
      )}
      {notRemovable === null ? (
        <Button
          {...buttonProps}
          icon={<TrashIcon />}
          aria-label={`Excluir OS ${order.os_number}`}
          {...hint('Excluir OS', 'delete')}
          onClick={() => actions.remove(order)}
        />
      ) : (
        mayEverRemove && (
          <Unavailable icon={order.is_held ? <LockIcon /> : <TrashIcon />} reason={notRemovable} />
        )
      )}
      {unavailableReason.download(actor, order) === null && (
        <Button
          {...buttonProps}
          icon={<DownloadIcon />}
          aria-label={`Baixar evidências da OS ${order.os_number}`}
          {...hint('Baixar Evidências (ZIP)', 'd')}
          loading={downloading === order.id}
          onClick={() => actions.download(order)}
        />
      )}
    </span>
  )
}

/** The key of the action tells the reason too. */
const Unavailable = ({ icon, reason }: { icon: ReactElement; reason: string }) => (
  <span className="row-action-unavailable" title={reason}>
    {icon}
  </span>
)
