import { counted } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { deadlineOf, isClosed, LEGAL_DAYS } from '@garantia/shared/orders/status'
import { Badge } from '../../../ui/feedback/badge.tsx'
import './days-open.css'

type Order = Pick<ListedOrder, 'days_open' | 'legal_days' | 'legal_visits' | 'status'>

/** Days since the opening; of an open order those of the legal limit, over all visits for the same defect. */
export function DaysOpen({ order }: { order: Order }) {
  const isEnded = isClosed(order.status)
  const days = counted(isEnded ? order.days_open : order.legal_days, 'dia', 'dias')
  const deadline = deadlineOf(order.legal_days)
  const visits = order.legal_visits > 1 ? ` em ${order.legal_visits} visitas pelo mesmo defeito` : ''
  if (isEnded || deadline === null)
    return (
      <span className="cell-second numeric" title={isEnded || !visits ? undefined : `${days}${visits}`}>
        {days}
      </span>
    )
  const isOver = deadline === 'overdue'
  return (
    <span className="days-open">
      <Badge
        colour={isOver ? 'red' : 'orange'}
        title={`${isOver ? 'Passou' : 'Perto'} do prazo legal de ${LEGAL_DAYS} dias${visits && `: ${days}${visits}`}`}
      >
        {days}
      </Badge>
    </span>
  )
}
