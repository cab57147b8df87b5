import type { ReactElement, ReactNode } from 'react'
import { focusMainOnUnmount } from '../overlay/focus-return.ts'

interface Props {
  icon: ReactElement
  title: string
  /** Why it is empty. */
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** Placeholder for an empty list; on unmount the focus moves to <main> if it would be lost. */
export const EmptyState = ({ icon, title, children, action }: Props) => (
  <div ref={focusMainOnUnmount} className="empty-state">
    <span className="empty-state-icon" aria-hidden="true">
      {icon}
    </span>
    <p className="empty-state-title">{title}</p>
    {children && <div className="muted">{children}</div>}
    {action}
  </div>
)
