import { Button } from '@blueprintjs/core'
import { TickCircleIcon } from '@blueprintjs/icons'
import { DIFFERENCE } from '@garantia/shared/claims/reasons'
import { LINE_OUTCOME, type RemittanceLineView, type Resolution } from '@garantia/shared/claims/remittance'
import { brl, integer } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { nameOf, type PendingResolution, RESOLUTION_LABEL } from './difference.ts'

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

const reasonOf = ({ difference, outcome }: RemittanceLineView) =>
  difference ? DIFFERENCE[difference] : LINE_OUTCOME[outcome]
const menuOf = (onResolve: (resolution: Resolution) => void) =>
  (['booked', 'written_off', 'ignored'] as const).map((resolution) => ({
    text: RESOLUTION_LABEL[resolution],
    isDanger: resolution === 'ignored',
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
        <span className="cell-second">Linha {integer(original.line)}</span>
      </>
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

/** The order, the claim and the line, as far as the name of the card does not say them. */
const placeOf = ({ line, brand_number, os_number, claim }: RemittanceLineView) =>
  [
    (brand_number !== null || os_number !== null) && `Linha ${integer(line)}`,
    brand_number !== null && os_number !== null && `OS ${os_number}`,
    claim,
  ]
    .filter(Boolean)
    .join(' · ')

function Card({ line, onResolve }: { line: RemittanceLineView; onResolve: (one: Resolution) => void }) {
  return (
    <div className="row-card panel">
      <div className="row-card-line">
        <strong className="numeric">{nameOf(line)}</strong>
        <RowMenu label={`Ações de ${nameOf(line)}`} items={menuOf(onResolve)} />
      </div>
      <span>{reasonOf(line)}</span>
      <span className="cell-second numeric difference-facts">{placeOf(line)}</span>
      <div className="row-card-line numeric">
        <span>
          Pago <strong>{brl(line.amount)}</strong>
        </span>
        <span className="muted">Esperado {line.expected === null ? '—' : brl(line.expected)}</span>
      </div>
      <Button size="small" text={RESOLUTION_LABEL.booked} onClick={() => onResolve('booked')} />
    </div>
  )
}
