import { Button } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'
import type { ReactElement, ReactNode } from 'react'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'

interface Query {
  error: unknown
  isPending: boolean
  isRefetching: boolean
  isFetchingNextPage: boolean
  hasNextPage: boolean
  refetch: () => unknown
  fetchNextPage: () => unknown
}

interface Props {
  /** Name of the list for screen readers. */
  label: string
  failure: string
  query: Query
  /** Undefined while loading. */
  entries: ReactElement[] | undefined
  /** Selection and actions above the list. */
  actions: ReactNode
  empty: ReactElement
}

/** Widths of the rows that are being loaded, in percent. */
const ROWS = [62, 48, 70, 55, 66]

/** A log, newest first, page after page. */
export function LogList({ label, failure, query, entries, actions, empty }: Props) {
  return (
    <>
      <div className="outbox-top">
        {actions}
        <Button
          icon={<RefreshIcon />}
          text="Atualizar"
          loading={query.isRefetching}
          onClick={() => void query.refetch()}
        />
      </div>
      {query.error && !entries ? (
        <ErrorState title={failure} error={query.error} onRetry={() => void query.refetch()} />
      ) : entries?.length === 0 ? (
        <div className="panel">{empty}</div>
      ) : (
        <ul className="panel audit" aria-label={label} aria-busy={query.isPending}>
          {entries ?? (
            <Delayed>
              {ROWS.map((width) => (
                <li key={width} className="audit-entry">
                  <Skeleton width={width} />
                </li>
              ))}
            </Delayed>
          )}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="audit-more">
          <Button
            text="Mostrar mais"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          />
        </div>
      )}
    </>
  )
}
