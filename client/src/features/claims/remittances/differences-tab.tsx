import { Button } from '@blueprintjs/core'
import { TickCircleIcon } from '@blueprintjs/icons'
import type { RemittanceLineView, Resolution } from '@garantia/shared/claims/remittance'
import { brl } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import {
  nameOf,
  OFFERED,
  type PendingResolution,
  RESOLUTION_LABEL,
  reasonOf,
  sourceOf,
} from './difference.ts'

const ResolutionDialog = lazy(async () => ({
  default: (await import('./resolution-dialog.tsx')).ResolutionDialog,
}))
const PAGE_SIZE = 25

/** Lines of all remittances that wait for a person. */
export function DifferencesTab({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const lines = trpc.remittances.differences.useQuery(
    { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  )
  const pageCount = Math.max(1, Math.ceil((lines.data?.total ?? 0) / PAGE_SIZE))
  usePageInRange(page, lines.isPlaceholderData ? undefined : lines.data && pageCount, onPage)
  const [pending, setPending] = useState<PendingResolution | null>(null)
  // It stays, so that the focus returns as it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= pending !== null
  const columns = useMemo(() => columnsOf((line, resolution) => setPending({ line, resolution })), [])
  return (
    <>
      <DataTable
        label="Divergências"
        query={lines}
        columns={columns}
        card={(line) => <Card line={line} onResolve={(resolution) => setPending({ line, resolution })} />}
        onOpen={(line) => setPending({ line, resolution: 'booked' })}
        rowKeys={[
          {
            keys: 'l',
            label: RESOLUTION_LABEL.booked,
            act: (line) => setPending({ line, resolution: 'booked' }),
          },
          {
            keys: 'b',
            label: RESOLUTION_LABEL.written_off,
            act: (line) => setPending({ line, resolution: 'written_off' }),
          },
          {
            keys: 'delete',
            label: RESOLUTION_LABEL.ignored,
            act: (line) => setPending({ line, resolution: 'ignored' }),
          },
        ]}
        nameOf={nameOf}
        page={page}
        pageSize={PAGE_SIZE}
        total={lines.data?.total ?? 0}
        onPage={onPage}
        errorTitle="Erro ao carregar divergências"
        empty={
          <div className="panel">
            <EmptyState icon={<TickCircleIcon size={20} />} title="Nenhuma divergência">
              Nenhuma linha de demonstrativo espera por uma decisão.
            </EmptyState>
          </div>
        }
      />
      {wasOpen.current && (
        <Suspense>
          <ResolutionDialog pending={pending} onClose={() => setPending(null)} />
        </Suspense>
      )}
    </>
  )
}

const menuOf = (onResolve: (resolution: Resolution) => void) =>
  OFFERED.map((resolution) => ({
    text: RESOLUTION_LABEL[resolution],
    onClick: () => onResolve(resolution),
  }))

const columnsOf = (
  onResolve: (line: RemittanceLineView, resolution: Resolution) => void,
): Column<RemittanceLineView>[] => [
  {
    id: 'number',
    header: 'Nº na marca',
    cell: ({ row: { original } }) => (
      <>
        <span className="clip numeric">{original.brand_number ?? '—'}</span>
        <span className="cell-second difference-facts">{sourceOf(original)}</span>
      </>
    ),
  },
  {
    id: 'owner',
    header: 'Marca e empresa',
    cell: ({ row: { original } }) => (
      <TwoLines first={original.brand.display_name} second={original.company.trading_name} />
    ),
  },
  {
    id: 'os_number',
    header: 'OS',
    meta: { width: 'w-number' },
    cell: ({ row }) => <span className="numeric">{row.original.os_number ?? '—'}</span>,
  },
  {
    id: 'claim',
    header: 'Solicitação',
    meta: { width: 'w-role', priority: 3 },
    cell: ({ row }) => <span className="numeric">{row.original.claim ?? '—'}</span>,
  },
  {
    id: 'reason',
    header: 'Motivo',
    cell: ({ row }) => <span className="two-lines">{reasonOf(row.original)}</span>,
  },
  {
    id: 'amount',
    header: 'Pago',
    meta: { width: 'w-money', align: 'right' },
    cell: ({ row }) => <span className="numeric">{brl(row.original.amount)}</span>,
  },
  {
    id: 'expected',
    header: 'Esperado',
    meta: { width: 'w-money', align: 'right' },
    cell: ({ row: { original } }) => (
      <span className="numeric">{original.expected === null ? '—' : brl(original.expected)}</span>
    ),
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row: { original } }) => (
      <RowMenu label={`Ações de ${nameOf(original)}`} items={menuOf((one) => onResolve(original, one))} />
    ),
  },
]

/** The remittance, the order and the claim, as far as the name of the card does not say them. */
const placeOf = (line: RemittanceLineView) =>
  [
    sourceOf(line),
    line.brand_number !== null && line.os_number !== null && `OS ${line.os_number}`,
    line.claim,
  ]
    .filter(Boolean)
    .join(' · ')

function Card({ line, onResolve }: { line: RemittanceLineView; onResolve: (one: Resolution) => void }) {
  return (
    <div className="row-card panel">
      <strong className="numeric">{nameOf(line)}</strong>
      <span>{reasonOf(line)}</span>
      <span className="cell-second difference-facts">
        {line.brand.display_name} · {line.company.trading_name}
      </span>
      <span className="cell-second numeric difference-facts">{placeOf(line)}</span>
      <div className="row-card-line numeric">
        <span>
          Pago <strong>{brl(line.amount)}</strong>
        </span>
        <span className="muted">Esperado {line.expected === null ? '—' : brl(line.expected)}</span>
      </div>
      <div className="difference-actions">
        {OFFERED.map((one) => (
          <Button
            key={one}
            size="small"
            text={RESOLUTION_LABEL[one]}
            aria-label={`${RESOLUTION_LABEL[one]}: ${nameOf(line)}`}
            onClick={() => onResolve(one)}
          />
        ))}
      </div>
    </div>
  )
}
