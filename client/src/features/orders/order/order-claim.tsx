import { CLAIM_STATE } from '@garantia/shared/claims/state'
import { dayText } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { lazy, Suspense } from 'react'
import { Badge } from '../../../ui/feedback/badge.tsx'
import './order-claim.css'

/** The words of deadlines are not in the first script of the list; until they come, the day stands in their place. */
const OrderClaimDue = lazy(async () => ({
  default: (await import('./order-claim-due.tsx')).OrderClaimDue,
}))

/** State of an order's newest claim and what is due next of it; nothing without a claim. */
export function OrderClaim({ order: { claim }, isNamed = false }: { order: ListedOrder; isNamed?: boolean }) {
  if (!claim) return null
  const { label, colour } = CLAIM_STATE[claim.state]
  return (
    <span className="order-claim">
      <Badge colour={colour} isOutlined>
        {isNamed && 'Garantia: '}
        {label}
      </Badge>
      {claim.due_on && (
        <Suspense fallback={<span className="order-claim-due numeric">até {dayText(claim.due_on)}</span>}>
          <OrderClaimDue claim={claim} />
        </Suspense>
      )}
    </span>
  )
}
