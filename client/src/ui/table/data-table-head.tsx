import { CaretDownIcon, CaretUpIcon } from '@blueprintjs/icons'
import type { CSSProperties, ReactNode } from 'react'

export interface TableSort {
  by: string
  direction: 'asc' | 'desc'
  onSort: (by: string) => void
}
interface Props {
  className: string | undefined
  /** Letters of the longest amount of this column. */
  letters: number | undefined
  /** The server's sort key of this column. */
  sortKey: string | undefined
  sort: TableSort | undefined
  /** Checkbox that selects the whole page. */
  check?: ReactNode
  /** The heading for paper, where a button is not repeated on each page. */
  printed: string | undefined
  children: ReactNode
}

/** A column header; a button when the column is sortable. */
export function HeadCell({ className, letters, sortKey, sort, check, printed, children }: Props) {
  const style = letters === undefined ? undefined : ({ '--letters': letters } as CSSProperties)
  if (!sort || !sortKey)
    return (
      <th scope="col" className={className} style={style}>
        {check}
        {children}
      </th>
    )
  const isSorted = sort.by === sortKey
  const isUp = sort.direction === 'asc'
  return (
    <th
      scope="col"
      className={className}
      style={style}
      data-printed={printed}
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}
    >
      {check}
      <button type="button" className="head-sort" onClick={() => sort.onSort(sortKey)}>
        {children}
        <span className={isSorted ? 'head-sort-icon' : 'head-sort-icon is-idle'} aria-hidden="true">
          {isSorted && isUp ? <CaretUpIcon size={14} /> : <CaretDownIcon size={14} />}
        </span>
      </button>
    </th>
  )
}
