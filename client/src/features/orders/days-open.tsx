import { counted } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { isClosed } from '@garantia/shared/orders/status'
import { Badge } from '../../ui/badge.tsx'
import './days-open.css'

/** The consumer code gives the supplier 30 days to fix a defect; 20 is the time to hurry (D-13). */
const WARN_DAYS = 20
const LEGAL_DAYS = 30

export function DaysOpen({ order }: { order: Pick<OrderRow, 'days_open' | 'status'> }) {
  const days = counted(order.days_open, 'dia', 'dias')
  if (isClosed(order.status) || order.days_open < WARN_DAYS)
    return <span className="cell-second numeric">{days}</span>
  const isOver = order.days_open >= LEGAL_DAYS
  return (
    <span className="days-open">
      <Badge
        colour={isOver ? 'red' : 'orange'}
        title={isOver ? 'Passou do prazo legal de 30 dias' : 'Perto do prazo legal de 30 dias'}
      >
        {days}
      </Badge>
    </span>
  )
}
