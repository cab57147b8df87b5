import type { ReactNode, Ref } from 'react'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'

interface ListProps<T> {
  label: string
  /** Undefined until they have been read. */
  items: readonly T[] | undefined
  /** Shown when there are none. */
  empty?: ReactNode
  /** Takes the focus when the row that had it is gone. */
  ref: Ref<HTMLUListElement>
  /** The row of one item, with its key. */
  children: (item: T) => ReactNode
}

/** What an account or the installation has of one kind: sessions, tokens, webhooks. */
export function SettingsList<T>({ label, items, empty, ref, children }: ListProps<T>) {
  return (
    <ul ref={ref} tabIndex={-1} className="sessions panel" aria-label={label} aria-busy={!items}>
      {!items && (
        <Delayed>
          <li className="session">
            <Skeleton width={40} />
          </li>
        </Delayed>
      )}
      {items?.length === 0 && empty && <li>{empty}</li>}
      {items?.map(children)}
    </ul>
  )
}

interface RowProps {
  icon: ReactNode
  title: ReactNode
  /** Shown over the title. */
  tooltip?: string | undefined
  /** One `span` for each fact. */
  facts: ReactNode
  /** State and buttons. */
  children: ReactNode
}

export function SettingsRow({ icon, title, tooltip, facts, children }: RowProps) {
  return (
    <li className="session">
      <span className="session-icon" aria-hidden="true">
        {icon}
      </span>
      <div className="session-text">
        <strong title={tooltip}>{title}</strong>
        <span className="muted numeric">{facts}</span>
      </div>
      {children}
    </li>
  )
}
