import { type DeadlineRow, DUE_KIND, type DueKind } from '@garantia/shared/claims/deadlines'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../ui/feedback/badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { dueText } from '../claim/claim-words.ts'

type Row = DeadlineRow & { id: number }
export const nameOf = ({ kind, os_number }: DeadlineRow) => `${DUE_KIND[kind]} da OS ${os_number}`
/** Where something can be done about it. */
export const tabOf = (kind: DueKind) => (kind === 'legal' ? 'geral' : 'garantia')

const dueOf = ({ due_on, kind }: DeadlineRow) => dueText({ due_on, due_kind: kind })

function When({ row }: { row: DeadlineRow }) {
  const due = dueOf(row)
  return (
    <>
      <span className={`numeric${row.is_overdue ? ' deadline-overdue' : ''}`}>{due?.on}</span>
      <span className="cell-second">{due?.left}</span>
    </>
  )
}
const Kind = ({ row }: { row: DeadlineRow }) => (
  <Badge colour={row.is_overdue ? 'red' : row.kind === 'legal' ? 'orange' : 'blue'}>
    {DUE_KIND[row.kind]}
  </Badge>
)

export const DEADLINE_COLUMNS: Column<Row>[] = [
  { id: 'due_on', header: 'Data', meta: { width: 'w-seen' }, cell: ({ row }) => <When row={row.original} /> },
  { id: 'kind', header: 'Prazo', meta: { width: 'w-kind' }, cell: ({ row }) => <Kind row={row.original} /> },
  {
    id: 'os_number',
    header: 'OS',
    meta: { width: 'w-number' },
    cell: ({ row }) => <span className="numeric order-number">{row.original.os_number}</span>,
  },
  {
    id: 'company',
    header: 'Marca e empresa',
    cell: ({ row: { original } }) => (
      <TwoLines first={original.brand.display_name} second={original.company.trading_name} />
    ),
  },
  {
    id: 'responsible',
    header: 'Responsável',
    cell: ({ row: { original } }) => (
      <span className="clip" title={original.responsible_name ?? undefined}>
        {original.responsible_name ?? '—'}
      </span>
    ),
  },
]

/** List row as a card, for phones. */
export const DeadlineCard = ({ row }: { row: DeadlineRow }) => (
  <div className="row-card order-list-card panel">
    <div className="row-card-line">
      <span className="order-list-card-title">
        <Link
          to="/os/$id"
          params={{ id: row.order_id }}
          search={{ tab: tabOf(row.kind) }}
          className="numeric"
        >
          OS {row.os_number}
        </Link>
      </span>
      <Kind row={row} />
    </div>
    <div className="row-card-line numeric">
      <span className={row.is_overdue ? 'deadline-overdue' : undefined}>{dueOf(row)?.on}</span>
      <span className="muted">{dueOf(row)?.left}</span>
    </div>
    <span className="cell-second">
      {row.brand.display_name} · {row.company.trading_name}
    </span>
    {row.responsible_name && <span className="cell-second">Responsável: {row.responsible_name}</span>}
  </div>
)
