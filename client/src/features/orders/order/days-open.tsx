import { counted } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { deadlineOf, isClosed, LEGAL_DAYS } from '@garantia/shared/orders/status'
import { Badge } from '../../../ui/feedback/badge.tsx'
import './days-open.css'

export function DaysOpen({ order }: { order: Pick<ListedOrder, 'days_open' | 'status'> }) {
  const days = counted(order.days_open, 'dia', 'dias')
  const deadline = deadlineOf(order.days_open)
  if (isClosed(order.status) || deadline === null) return <span className="cell-second numeric">{days}</span>
  const isOver = deadline === 'overdue'
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
