import {
  DownloadIcon,
  DrawerRightIcon,
  EditIcon,
  PersonIcon,
  SwapHorizontalIcon,
  TrashIcon,
  UploadIcon,
} from '@blueprintjs/icons'
import { brl, date } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { Link } from '@tanstack/react-router'
import { useActor } from '../../../lib/actor.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { RowCheck } from '../../../ui/table/row-check.tsx'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import { ConversionBadge } from '../order/conversion-badge.tsx'
import { DaysOpen } from '../order/days-open.tsx'
import { OrderClaim } from '../order/order-claim.tsx'
import { nameOf, plateOf } from './order-display.ts'
import { type OrderRowActions, unavailableReason } from './order-row-actions.ts'

interface Props {
  order: ListedOrder
  actions: OrderRowActions
  selection: RowSelection<ListedOrder>
}

/** List row as a card, for phones. */
export function OrderCard({ order, actions, selection }: Props) {
  const actor = useActor()
  const vehicle = [order.vehicle_model, plateOf(order)].filter(Boolean).join(' · ')
  const items = [
    { action: 'upload', text: 'Enviar evidências', icon: <UploadIcon /> },
    { action: 'download', text: 'Baixar Evidências (ZIP)', icon: <DownloadIcon /> },
    { action: 'edit', text: 'Editar', icon: <EditIcon /> },
    { action: 'changeStatus', text: 'Mudar status', icon: <SwapHorizontalIcon /> },
    { action: 'assign', text: 'Mudar responsável', icon: <PersonIcon /> },
    { action: 'remove', text: 'Excluir', icon: <TrashIcon />, isDanger: true },
  ] as const
  return (
    <div
      className={
        selection.has(order) ? 'row-card order-list-card panel is-selected' : 'row-card order-list-card panel'
      }
    >
      <div className="row-card-line">
        <span className="order-list-card-title">
          <RowCheck
            label={`Selecionar ${nameOf(order)}`}
            isChecked={selection.has(order)}
            onToggle={() => selection.toggle(order)}
          />
          <Link to="/os/$id" params={{ id: order.id }} className="numeric">
            {nameOf(order)}
          </Link>
        </span>
        <span className="order-list-card-meta">
          <StatusBadge badge={ORDER_STATUS[order.status]} />
          <RowMenu
            label={`Ações da ${nameOf(order)}`}
            items={[
              { text: 'Espiar', icon: <DrawerRightIcon />, onClick: () => actions.peek(order) },
              ...items
                .filter(({ action }) => unavailableReason[action](actor, order) === null)
                .map(({ action, ...item }) => ({ ...item, onClick: () => actions[action](order) })),
            ]}
          />
        </span>
      </div>
      <div className="row-card-line">
        <span className="clip">{order.customer_name ?? 'Sem cliente'}</span>
        <span className="order-list-card-meta muted numeric">{date(order.opened_at)}</span>
      </div>
      {vehicle && <span className="cell-second">{vehicle}</span>}
      <span className="cell-second">
        {order.brand.display_name} · {order.company.trading_name}
      </span>
      {order.responsible_name && <span className="cell-second">Responsável: {order.responsible_name}</span>}
      <OrderClaim order={order} isNamed />
      <div className="row-card-line order-list-card-foot">
        <ConversionBadge order={order} />
        <span className="order-list-card-meta numeric">
          <DaysOpen order={order} />
          <strong>{brl(order.total_value)}</strong>
        </span>
      </div>
    </div>
  )
}
