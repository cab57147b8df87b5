import {
  DownloadIcon,
  DrawerRightIcon,
  EditIcon,
  SwapHorizontalIcon,
  TrashIcon,
  UploadIcon,
} from '@blueprintjs/icons'
import { brl, date } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { Link } from '@tanstack/react-router'
import { useActor } from '../../../lib/actor.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { RowCheck } from '../../../ui/table/row-check.tsx'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import { ConversionBadge } from '../order/conversion-badge.tsx'
import { DaysOpen } from '../order/days-open.tsx'
import { type OrderDeeds, refusalOf } from './order-deeds.ts'
import { nameOf, plateOf } from './order-face.ts'

interface Props {
  order: OrderRow
  deeds: OrderDeeds
  selection: RowSelection<OrderRow>
}

/** A row of the list on a phone. */
export function OrderCard({ order, deeds, selection }: Props) {
  const actor = useActor()
  const items = [
    { deed: 'upload', text: 'Enviar evidências', icon: <UploadIcon /> },
    { deed: 'download', text: 'Baixar Evidências (ZIP)', icon: <DownloadIcon /> },
    { deed: 'edit', text: 'Editar', icon: <EditIcon /> },
    { deed: 'changeStatus', text: 'Mudar status', icon: <SwapHorizontalIcon /> },
    { deed: 'remove', text: 'Excluir', icon: <TrashIcon />, isDanger: true },
  ] as const
  return (
    <div
      className={selection.has(order) ? 'row-card order-face panel is-selected' : 'row-card order-face panel'}
    >
      <div className="row-card-line">
        <span className="order-face-name">
          <RowCheck
            label={`Selecionar ${nameOf(order)}`}
            isChecked={selection.has(order)}
            onToggle={() => selection.toggle(order)}
          />
          <Link to="/os/$id" params={{ id: order.id }} className="numeric">
            {nameOf(order)}
          </Link>
        </span>
        <span className="order-face-facts">
          <StatusBadge face={ORDER_STATUS[order.status]} />
          <RowMenu
            label={`Ações da ${nameOf(order)}`}
            items={[
              { text: 'Espiar', icon: <DrawerRightIcon />, onClick: () => deeds.peek(order) },
              ...items
                .filter(({ deed }) => refusalOf[deed](actor, order) === null)
                .map(({ deed, ...item }) => ({ ...item, onClick: () => deeds[deed](order) })),
            ]}
          />
        </span>
      </div>
      <div className="row-card-line">
        <span className="clip">{order.customer_name ?? 'Sem cliente'}</span>
        <span className="order-face-facts muted numeric">{date(order.opened_at)}</span>
      </div>
      <span className="cell-second">
        {[order.vehicle_model, plateOf(order)].filter(Boolean).join(' · ') || '—'}
      </span>
      <span className="cell-second">
        {order.brand.display_name} · {order.company.trading_name}
      </span>
      <div className="row-card-line">
        <ConversionBadge order={order} />
        <span className="order-face-facts numeric">
          <DaysOpen order={order} />
          <strong>{brl(order.total_value)}</strong>
        </span>
      </div>
    </div>
  )
}
