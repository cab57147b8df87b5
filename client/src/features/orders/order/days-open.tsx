import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { HURRY_DAYS, isClosed, LEGAL_DAYS } from '@garantia/shared/orders/status'
import { Badge } from '../../../ui/feedback/badge.tsx'
import './days-open.css'

export function DaysOpen({ order }: { order: Pick<OrderRow, 'days_open' | 'status'> }) {
  const days = counted(order.days_open, 'dia', 'dias')
  if (isClosed(order.status) || order.days_open < HURRY_DAYS)
    return <span className="cell-second numeric">{days}</span>
  const isOver = order.days_open >= LEGAL_DAYS
  return (
    <span className="days-open">
      <Badge
        colour={isOver ? 'red' : 'orange'}
        title={`${isOver ? 'Passou' : 'Perto'} do prazo legal de ${LEGAL_DAYS} dias`}
      >
        {days}
      </Badge>
    </span>
  )
}
