import type { BadgeColour, Badge as BadgeFace } from '@garantia/shared/orders/status'
import type { ReactElement, ReactNode } from 'react'

interface Props {
  colour: BadgeColour
  /** Replaces the dot; never the text, because a colour or an icon alone tells nobody enough. */
  icon?: ReactElement
  title?: string
  /** A line around instead of a ground: one rank above its colour. */
  isOutlined?: boolean
  children: ReactNode
}

/** The one badge family: statuses, kinds and counts. Blueprint's intents stay out, since primary is red here. */
export const Badge = ({ colour, icon, title, isOutlined, children }: Props) => (
  <span className={`badge badge-${colour}${isOutlined ? ' is-outlined' : ''}`} title={title}>
    {icon ?? <span className="badge-dot" aria-hidden="true" />}
    <span className="badge-text">{children}</span>
  </span>
)

export const StatusBadge = ({ badge }: { badge: BadgeFace }) => (
  <Badge colour={badge.colour}>{badge.label}</Badge>
)
