import { CLAIM_STATE } from '@garantia/shared/claims/state'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { dueText } from '../../claims/claim/claim-words.ts'
import './order-claim.css'

interface Props {
  claim: NonNullable<ListedOrder['claim']>
  isNamed: boolean
}

/** State of an order's newest claim and what is due next of it. */
export function OrderClaimState({ claim, isNamed }: Props) {
  const { label, colour } = CLAIM_STATE[claim.state]
  const due = dueText(claim)
  return (
    <span className="order-claim" title={due ? `${due.what}: ${due.on} (${due.left})` : undefined}>
      <Badge colour={colour} isOutlined>
        {isNamed && 'Garantia: '}
        {label}
      </Badge>
      {due && (
        <span className={`order-claim-due numeric${due.isOverdue ? ' is-overdue' : ''}`}>
          até {due.on}
          {due.isOverdue && <span className="visually-hidden"> (vencida)</span>}
        </span>
      )}
    </span>
  )
}
