import { brl, date } from '@garantia/shared/format'
import { conversionBadge, type ListedOrder, neededOf } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { ConversionBadge } from '../order/conversion-badge.tsx'
import { DaysOpen } from '../order/days-open.tsx'
import { OrderClaim } from '../order/order-claim.tsx'
import { plateOf } from './order-display.ts'
import type { OrderRowActions } from './order-row-actions.ts'
import { PeekButton } from './peek/peek-button.tsx'
import { RowActions } from './row-actions.tsx'

/** What the order needs, or, where the column of the conversion shows its sign alone, the words of that. */
function Needed({ order }: { order: ListedOrder }) {
  const needed = neededOf(order)
  return needed ? (
    <span className="cell-second">{needed}</span>
  ) : (
    <span className="cell-second status-words" aria-hidden="true">
      {conversionBadge(order).label}
    </span>
  )
}

/** The columns of LIST-11, in its order, and, where there is room for it, the responsible person and the newest claim. */
export const orderColumns = (actions: OrderRowActions): Column<ListedOrder>[] => [
  {
    id: 'os_number',
    header: 'OS',
    meta: { width: 'w-checked', sort: 'os_number' },
    cell: ({ row }) => (
      <>
        <span className="numeric order-number">{row.original.os_number}</span>
        <PeekButton order={row.original} onPeek={actions.peek} />
      </>
    ),
  },
  {
    id: 'customer',
    header: 'Cliente',
    meta: { sort: 'customer_name' },
    cell: ({ row: { original: order } }) => (
      <span className="two-lines" title={order.customer_name ?? undefined}>
        {order.customer_name ?? '—'}
      </span>
    ),
  },
  {
    id: 'vehicle',
    header: 'Veículo',
    meta: { width: 'w-vehicle' },
    cell: ({ row }) => <TwoLines first={row.original.vehicle_model} second={plateOf(row.original)} />,
  },
  {
    id: 'company',
    header: 'Empresa',
    meta: { width: 'w-company' },
    cell: ({ row }) => (
      <TwoLines first={row.original.brand.display_name} second={row.original.company.trading_name} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    meta: { width: 'w-badge' },
    cell: ({ row: { original: order } }) => (
      <>
        <StatusBadge badge={ORDER_STATUS[order.status]} />
        <span className="status-more">
          <Needed order={order} />
          {order.responsible_name && (
            <span className="cell-second status-responsible" title={`Responsável: ${order.responsible_name}`}>
              {order.responsible_name}
            </span>
          )}
          <span className="status-claim">
            <OrderClaim order={order} isNamed />
          </span>
        </span>
      </>
    ),
  },
  {
    id: 'responsible',
    header: 'Responsável',
    meta: { width: 'w-person' },
    cell: ({ row: { original: order } }) => (
      <span className="two-lines" title={order.responsible_name ?? undefined}>
        {order.responsible_name ?? '—'}
      </span>
    ),
  },
  {
    id: 'claim',
    header: 'Garantia',
    meta: { width: 'w-claim' },
    cell: ({ row }) => (row.original.claim ? <OrderClaim order={row.original} /> : '—'),
  },
  {
    id: 'conversion',
    header: 'Conversão',
    meta: { width: 'w-mark' },
    cell: ({ row }) => <ConversionBadge order={row.original} isShort />,
  },
  {
    id: 'date',
    header: 'Data',
    meta: { width: 'w-date', sort: 'opened_at' },
    cell: ({ row }) => (
      <>
        <span className="numeric">{date(row.original.opened_at)}</span>
        <DaysOpen order={row.original} />
      </>
    ),
  },
  {
    id: 'total',
    header: 'Valor',
    accessorFn: ({ total_value }) => brl(total_value),
    meta: { width: 'w-money', align: 'right', priority: 3, sort: 'total_value' },
    cell: ({ row }) => <span className="numeric nowrap">{brl(row.original.total_value)}</span>,
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-row-actions' },
    cell: ({ row }) => <RowActions order={row.original} actions={actions} />,
  },
]
