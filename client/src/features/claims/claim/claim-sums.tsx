import type { ClaimRow } from '@garantia/shared/claims/schema'
import { SUM_LABEL } from '@garantia/shared/claims/sums'
import { brl } from '@garantia/shared/format'

/** Shown even at R$ 0,00, once there is something to compare. */
const ONCE_SENT = ['authorised', 'paid'] as const
const IF_ANY = ['debited', 'written_off', 'carried'] as const

/** The amounts of a claim, which are the sums of its lines. */
export const ClaimSums = ({ claim }: { claim: ClaimRow }) => (
  <dl className="claim-sums">
    {(
      ['claimed', ...(isSent(claim) ? ONCE_SENT : []), ...IF_ANY.filter((name) => claim[name] !== 0)] as const
    ).map((name) => (
      <div key={name}>
        <dt>{SUM_LABEL[name]}</dt>
        <dd className="numeric">{isUnknown(claim, name) ? '—' : brl(claim[name])}</dd>
      </div>
    ))}
    {isSent(claim) && (
      <div className="claim-open-sum">
        <dt>{SUM_LABEL.open}</dt>
        <dd className="numeric">{brl(claim.open_amount)}</dd>
      </div>
    )}
  </dl>
)

/** Before the brand has answered, nothing authorised is not an answer. */
const isUnknown = (claim: ClaimRow, name: string) => name === 'authorised' && claim.answered_at === null

/** Before it is sent, a claim has nothing but what it will claim. */
export const isSent = ({ sent_at }: Pick<ClaimRow, 'sent_at'>) => sent_at !== null
