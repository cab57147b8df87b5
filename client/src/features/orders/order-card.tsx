import { brl, date } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../ui/badge.tsx'
import { ConversionBadge } from './conversion-badge.tsx'
import { DaysOpen } from './days-open.tsx'
import { plateOf, vehicleOf } from './order-columns.tsx'

/** A row of the list on a phone. */
export const OrderCard = ({ order }: { order: OrderRow }) => (
  <Link to="/os/$id" params={{ id: order.id }} className="order-card panel">
    <span className="order-card-line">
      <strong className="numeric">OS {order.os_number}</strong>
      <StatusBadge face={ORDER_STATUS[order.status]} />
    </span>
    <span className="order-card-line">
      <span className="clip">{order.customer_name ?? 'Sem cliente'}</span>
      <span className="order-card-facts muted numeric">{date(order.opened_at)}</span>
    </span>
    <span className="cell-second">
      {[vehicleOf(order), plateOf(order)].filter(Boolean).join(' · ') || '—'}
    </span>
    <span className="cell-second">
      {order.brand.display_name} · {order.company.trading_name}
    </span>
    <span className="order-card-line">
      <ConversionBadge status={order.conversion_status} />
      <span className="order-card-facts numeric">
        <DaysOpen order={order} />
        <strong>{brl(order.total_value)}</strong>
      </span>
    </span>
  </Link>
)
