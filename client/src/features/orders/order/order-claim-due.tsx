import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { dueText } from '../../claims/claim/claim-words.ts'

/** The day on which something is due of an order's newest claim, in red when it has passed. */
export function OrderClaimDue({ claim }: { claim: NonNullable<ListedOrder['claim']> }) {
  const due = dueText(claim)
  if (!due) return null
  return (
    <span
      className={`order-claim-due numeric${due.isOverdue ? ' is-overdue' : ''}`}
      title={`${due.what}: ${due.on} (${due.left})`}
    >
      até {due.on}
      {due.isOverdue && <span className="visually-hidden"> (vencida)</span>}
    </span>
  )
}
