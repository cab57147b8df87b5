import { Button } from '@blueprintjs/core'
import { DownloadIcon, EditIcon, EyeOpenIcon, TrashIcon } from '@blueprintjs/icons'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { use } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { useRowTabIndex } from '../../../ui/table/row-cursor.ts'
import { DownloadingOrderId, type OrderRowActions, unavailableReason } from './order-row-actions.ts'

interface Props {
  order: ListedOrder
  actions: OrderRowActions
}

/** LIST-12 to LIST-15, without actions the server would refuse; the others keep their column position. */
export function RowActions({ order, actions }: Props) {
  const actor = useActor()
  const tabIndex = useRowTabIndex()
  const hint = useKeyHint()
  const downloading = use(DownloadingOrderId)
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
      {unavailableReason.download(actor, order) === null && (
        <Button
          className="is-second"
          {...buttonProps}
          icon={<DownloadIcon />}
          aria-label={`Baixar evidências da OS ${order.os_number}`}
          {...hint('Baixar Evidências (ZIP)', 'd')}
          loading={downloading === order.id}
          onClick={() => actions.download(order)}
        />
      )}
      {unavailableReason.edit(actor, order) === null && (
        <LinkButton
          className="is-third"
          to="/os/$id/edit"
          params={{ id: order.id }}
          {...buttonProps}
          icon={<EditIcon />}
          aria-label={`Editar OS ${order.os_number}`}
          {...hint('Editar OS', 'e')}
        />
      )}
      {unavailableReason.remove(actor, order) === null && (
        <Button
          className="is-fourth"
          {...buttonProps}
          icon={<TrashIcon />}
          aria-label={`Excluir OS ${order.os_number}`}
          {...hint('Excluir OS', 'delete')}
          onClick={() => actions.remove(order)}
        />
      )}
    </span>
  )
}
