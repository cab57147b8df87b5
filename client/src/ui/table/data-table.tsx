import { HTMLTable } from '@blueprintjs/core'
import { type ColumnDef, metaHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { ErrorState } from '../feedback/error-state.tsx'
import { HeadCell, type TableSort } from './data-table-head.tsx'
import './data-table.css'
import { Delayed, Skeleton } from '../feedback/skeleton.tsx'
import { Pager, StepPager } from './pager.tsx'
import { useRovingRows } from './roving-rows.ts'
import { RowCheck } from './row-check.tsx'
import { IsCurrentRow } from './row-cursor.ts'
import type { RowSelection } from './row-selection.ts'
import { type RowKey, type RowPeek, useTableKeys } from './table-keys.ts'

interface ColumnMeta {
  /**
   * Width class by content; columns without one share the remaining space. A column of amounts is as wide as the
   * longest of them that its `accessorFn` gives: no amount is cut, and none takes room that it does not need.
   */
  width?:
    | 'w-number'
    | 'w-checked'
    | 'w-badge'
    | 'w-role'
    | 'w-kind'
    | 'w-state'
    | 'w-mark'
    | 'w-date'
    | 'w-money'
    | 'w-seen'
    | 'w-cpf'
    | 'w-tax-id'
    | 'w-actions'
    | 'w-row-actions'
    | 'w-vehicle'
    | 'w-company'
    | 'w-claim'
    | 'w-person'
  align?: 'right'
  /** Hidden in a narrow table; narrower still, rows become cards. */
  priority?: 3
  /** The server's sort key of this column. */
  sort?: string
}
/** TanStack Table features in use; they type `meta` of the columns. */
export const features = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() })
export type Column<Row extends object> = ColumnDef<typeof features, Row, unknown>

/** The parts of a tRPC query that the table uses. */
interface RowsQuery<Row> {
  data: { items: Row[] } | undefined
  isPending: boolean
  isPlaceholderData: boolean
  error: unknown
  refetch: () => unknown
}

interface Props<Row extends { id: number }> {
  /** Accessible name. */
  label: string
  query: RowsQuery<Row>
  columns: Column<Row>[]
  /** A row as a card, for narrow screens. */
  card: (row: Row) => ReactNode
  /** Without it rows cannot be opened. */
  onOpen?: ((row: Row) => void) | undefined
  /** Additional shortcuts of a row. */
  rowKeys?: readonly RowKey<Row>[]
  sort?: TableSort
  /** Enables selection: x, ranges with Shift, the page with Ctrl+A. */
  selection?: RowSelection<Row>
  /** Enables the peek panel on Space; it follows the cursor. */
  peek?: RowPeek<Row>
  /** Accessible name of a row for its checkbox: «OS 000123». */
  nameOf?: (row: Row) => string
  page: number
  pageSize: number
  total: number
  /** False when the total is only a lower bound. */
  isTotalExact?: boolean | undefined
  onPage: (page: number) => void
  /** `numbers` can jump to any page; `steps` only goes back and forth, and forward only from a full page. */
  paging?: 'numbers' | 'steps'
  /** Beside the pager: what else concerns the rows shown. */
  foot?: ReactNode
  empty: ReactNode
  errorTitle: string
}
const NO_ROWS: never[] = []
const NO_KEYS: never[] = []

/**
 * A server-paged table with keyboard control: j/k and arrows move, Enter or o opens, Home/End jump, [ and ]
 * turn pages; headers sort, rows can be selected. Old rows stay, dimmed, while new ones load; the cursor
 * follows the row, not its position.
 */
export function DataTable<Row extends { id: number }>(props: Props<Row>) {
  const {
    query,
    columns,
    page,
    pageSize,
    total,
    onPage,
    onOpen,
    selection,
    paging = 'numbers',
    isTotalExact = true,
  } = props
  const rows = query.data?.items ?? (NO_ROWS as Row[])
  const table = useTable({ features, columns, data: rows, getRowId: (row) => String(row.id) })
  const pageCount = Math.max(1, Math.ceil(total / pageSize))
  const isLast = page >= pageCount || (paging === 'steps' && rows.length < pageSize)
  const pager = query.isPending ? null : paging === 'steps' ? (
    <StepPager page={page} isLast={isLast} onPage={onPage} />
  ) : (
    <Pager page={page} pageCount={pageCount} onPage={onPage} />
  )
  const body = useRef<HTMLDivElement>(null)
  const { peek } = props
  const cursor = useRovingRows(props.label, body, rows, peek?.isOpen ? peek.show : undefined)
  const turnTo = (next: number) => () => {
    cursor.preparePageChange()
    onPage(next)
  }
  useTableKeys({
    container: body,
    rows,
    cursor,
    selection,
    onOpen,
    peek,
    rowKeys: props.rowKeys ?? NO_KEYS,
    toPage: {
      previous: page > 1 ? turnTo(page - 1) : undefined,
      next: isLast ? undefined : turnTo(page + 1),
    },
  })

  if (query.error && !query.data)
    return (
      <div className="panel">
        <ErrorState title={props.errorTitle} error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  if (!query.isPending && rows.length === 0)
    return (
      <>
        {props.empty}
        {page > 1 && pager}
      </>
    )

  const openUnlessAction = (row: Row) => (event: MouseEvent) => {
    if (!(event.target as Element).closest('a, button, label') && !getSelection()?.toString()) onOpen?.(row)
  }
  const longestAmount = ({ id, columnDef }: { id: string; columnDef: Column<Row> }) =>
    columnDef.meta?.width === 'w-money' && 'accessorFn' in columnDef
      ? Math.max(0, ...table.getRowModel().rows.map((row) => String(row.getValue(id)).length))
      : undefined
  const className = (meta: ColumnMeta | undefined) =>
    [meta?.width, meta?.align && `align-${meta.align}`, meta?.priority && `priority-${meta.priority}`]
      .filter(Boolean)
      .join(' ') || undefined

  return (
    <div className="data-table" ref={body} aria-busy={query.isPending || query.isPlaceholderData}>
      <HTMLTable
        role="grid"
        aria-label={props.label}
        // Includes the header row; -1 means unknown (ARIA).
        aria-rowcount={isTotalExact ? total + 1 : -1}
        aria-multiselectable={selection ? true : undefined}
        className={[query.isPlaceholderData && 'is-stale', onOpen && 'has-clickable-rows']
          .filter(Boolean)
          .join(' ')}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <HeadCell
                  key={header.id}
                  className={className(header.column.columnDef.meta)}
                  letters={longestAmount(header.column)}
                  sortKey={header.column.columnDef.meta?.sort}
                  sort={props.sort}
                  printed={textOf(header.column.columnDef.header)}
                  check={
                    selection &&
                    header.index === 0 && (
                      <RowCheck
                        label="Selecionar todas desta página"
                        isChecked={rows.length > 0 && rows.every(selection.has)}
                        isPartial={rows.some(selection.has)}
                        onToggle={() => selection.togglePage(rows)}
                      />
                    )
                  }
                >
                  <table.FlexRender header={header} />
                </HeadCell>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {query.isPending ? (
            <Delayed>
              {Array.from({ length: pageSize }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <tr key={i} className="is-skeleton">
                  {columns.map((column, index) => (
                    <td key={column.id} className={className(column.meta)}>
                      <Skeleton width={50 + ((i * 7 + index * 13) % 45)} />
                    </td>
                  ))}
                </tr>
              ))}
            </Delayed>
          ) : (
            table.getRowModel().rows.map((row, i) => (
              <tr
                key={row.id}
                aria-rowindex={(page - 1) * pageSize + i + 2}
                {...cursor.rowProps(row.original)}
                aria-selected={selection?.has(row.original)}
                onClick={openUnlessAction(row.original)}
              >
                <IsCurrentRow value={cursor.isCurrent(row.original)}>
                  {row.getAllCells().map((cell, index) => (
                    <td key={cell.id} className={className(cell.column.columnDef.meta)}>
                      {index === 0 && selection && (
                        <RowCheck
                          label={`Selecionar ${props.nameOf?.(row.original) ?? row.id}`}
                          isChecked={selection.has(row.original)}
                          tabIndex={-1}
                          onToggle={(isRange) =>
                            isRange ? selection.extendTo(row.original, rows) : selection.toggle(row.original)
                          }
                        />
                      )}
                      <table.FlexRender cell={cell} />
                    </td>
                  ))}
                </IsCurrentRow>
              </tr>
            ))
          )}
        </tbody>
      </HTMLTable>
      <ul className={`data-cards${query.isPlaceholderData ? ' is-stale' : ''}`} aria-label={props.label}>
        {query.isPending && <CardSkeletons />}
        {rows.map((row) => (
          <li key={row.id}>{props.card(row)}</li>
        ))}
      </ul>
      <div className="data-table-foot">
        {pager}
        {/* Later it would be pushed down by the rows. */}
        {!query.isPending && props.foot}
      </div>
    </div>
  )
}

const textOf = (header: unknown) => (typeof header === 'string' ? header : undefined)

/** About as many cards as fit on a phone screen. */
const CardSkeletons = () => (
  <Delayed>
    {[70, 55, 80, 60].map((width) => (
      <li key={width} className="panel row-card" aria-hidden="true">
        <Skeleton width={width / 2} />
        <Skeleton width={width} />
        <Skeleton width={90 - width / 3} />
      </li>
    ))}
  </Delayed>
)
