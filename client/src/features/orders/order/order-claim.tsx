import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { lazy, Suspense } from 'react'

/** The words of claims are not in the first script of the list. */
const OrderClaimState = lazy(async () => ({
  default: (await import('./order-claim-state.tsx')).OrderClaimState,
}))

/** State of an order's newest claim and what is due next of it; nothing without a claim. */
export const OrderClaim = ({ order, isNamed = false }: { order: ListedOrder; isNamed?: boolean }) =>
  order.claim && (
    <Suspense fallback={null}>
      <OrderClaimState claim={order.claim} isNamed={isNamed} />
    </Suspense>
  )
