import type { BadgeColour, Badge as BadgeFace } from '@garantia/shared/orders/status'
import type { ReactElement, ReactNode } from 'react'

interface Props {
  colour: BadgeColour
  /** Replaces the dot; the text stays, because colour or icon alone is not accessible. */
  icon?: ReactElement
  title?: string
  /** Border instead of background: one rank above the filled badge of that colour. */
  isOutlined?: boolean
  children: ReactNode
}

/**
 * The only badge component, for statuses, kinds and counts. Blueprint's intents are not used, as primary is
 * red here.
 */
export const Badge = ({ colour, icon, title, isOutlined, children }: Props) => (
  <span className={`badge badge-${colour}${isOutlined ? ' is-outlined' : ''}`} title={title}>
    {icon ?? <span className="badge-dot" aria-hidden="true" />}
    <span className="badge-text">{children}</span>
  </span>
)

/** A badge with the label and colour defined for a status in shared. */
export const StatusBadge = ({ badge }: { badge: BadgeFace }) => (
  <Badge colour={badge.colour}>{badge.label}</Badge>
)
