import { Button } from '@blueprintjs/core'
import { DownloadIcon, EyeOpenIcon } from '@blueprintjs/icons'
import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import { brl, date } from '@garantia/shared/format'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { StatusBadge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { TwoLines } from '../../ui/two-lines.tsx'
import { ConversionBadge } from './conversion-badge.tsx'
import { DaysOpen } from './days-open.tsx'
import { usePackageDownload } from './package-download.ts'

export const vehicleOf = ({ vehicle_model, vehicle_year }: OrderRow) =>
  [vehicle_model, vehicle_year].filter(Boolean).join(' · ') || null
export const plateOf = ({ vehicle_plate, vehicle_chassis }: OrderRow) =>
  vehicle_plate ? formatPlate(vehicle_plate) : vehicle_chassis && maskChassis(vehicle_chassis)

/** LIST-11, in its order. */
export const orderColumns: Column<OrderRow>[] = [
  {
    id: 'os_number',
    header: 'OS',
    meta: { width: 'w-number' },
    cell: ({ row }) => <span className="numeric order-number">{row.original.os_number}</span>,
  },
  {
    id: 'customer',
    header: 'Cliente',
    cell: ({ row }) => <TwoLines first={row.original.customer_name} />,
  },
  {
    id: 'vehicle',
    header: 'Veículo',
    cell: ({ row }) => <TwoLines first={vehicleOf(row.original)} second={plateOf(row.original)} />,
  },
  {
    id: 'company',
    header: 'Empresa',
    cell: ({ row }) => (
      <TwoLines first={row.original.brand.display_name} second={row.original.company.trading_name} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    meta: { width: 'w-badge' },
    cell: ({ row }) => <StatusBadge face={ORDER_STATUS[row.original.status]} />,
  },
  {
    id: 'conversion',
    header: 'Conversão',
    meta: { width: 'w-mark' },
    cell: ({ row }) => <ConversionBadge status={row.original.conversion_status} />,
  },
  {
    id: 'date',
    header: 'Data',
    meta: { width: 'w-date' },
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
    meta: { width: 'w-money', align: 'right', priority: 3 },
    cell: ({ row }) => <span className="clip numeric">{brl(row.original.total_value)}</span>,
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row }) => <RowActions order={row.original} />,
  },
]

function RowActions({ order }: { order: OrderRow }) {
  const packageOf = usePackageDownload(order)
  return (
    <span className="row-actions">
      {order.conversion_status === 'available' && (
        <Button
          variant="minimal"
          size="small"
          tabIndex={-1}
          icon={<DownloadIcon />}
          aria-label={`Baixar evidências da OS ${order.os_number}`}
          title="Baixar Evidências (ZIP)"
          loading={packageOf.isPending}
          onClick={() => packageOf.mutate()}
        />
      )}
      <LinkButton
        to="/os/$id"
        params={{ id: order.id }}
        variant="minimal"
        size="small"
        tabIndex={-1}
        icon={<EyeOpenIcon />}
        aria-label={`Ver OS ${order.os_number}`}
        title="Ver OS"
      />
    </span>
  )
}
