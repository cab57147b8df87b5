import { CLAIM_STATE, claimName } from '@garantia/shared/claims/state'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { dueText } from './claim-words.ts'

/** State of the newest claim of an order, beside the status of the order, which does not follow it. */
export function ClaimBadge({ order_id }: { order_id: number }) {
  const { data } = trpc.claims.ofOrder.useQuery({ order_id }, { staleTime: 30_000 })
  const newest = data?.data.at(-1)
  if (!newest) return null
  const due = dueText(newest)
  const { label, colour } = CLAIM_STATE[newest.state]
  return (
    <Badge
      colour={colour}
      isOutlined
      title={[claimName(newest), due && `${due.what}: ${due.on} (${due.left})`].filter(Boolean).join(' · ')}
    >
      Garantia: {label}
      {due?.isOverdue && ' · vencida'}
    </Badge>
  )
}
