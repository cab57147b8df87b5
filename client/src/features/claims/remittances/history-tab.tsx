import { HistoryIcon } from '@blueprintjs/icons'
import {
  type RemittanceReason,
  type RemittanceView,
  remittanceReason,
} from '@garantia/shared/claims/remittance'
import { brl, counted, dateTime, dayText, integer } from '@garantia/shared/format'
import type { Badge as BadgeFace } from '@garantia/shared/orders/status'
import { zodResolver } from '@hookform/resolvers/zod'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { usePageInRange } from '../../../ui/table/page-in-range.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { bookedText } from './booked-text.ts'

const PAGE_SIZE = 25
const STATUS: Record<RemittanceView['status'], BadgeFace> = {
  reading: { label: 'Lendo', colour: 'blue' },
  read: { label: 'A conferir', colour: 'orange' },
  running: { label: 'Lançando', colour: 'blue' },
  done: { label: 'Lançado', colour: 'green' },
  failed: { label: 'Falhou', colour: 'red' },
  undone: { label: 'Desfeito', colour: 'gray' },
}
/** Booked, but with lines that wait for a decision, is not what a green badge says. */
const badgeOf = ({ status, waiting }: RemittanceView): BadgeFace =>
  status === 'done' && waiting > 0
    ? { label: counted(waiting, 'divergência', 'divergências'), colour: 'orange' }
    : STATUS[status]
const nameOf = ({ id, number, filename }: RemittanceView) => number ?? filename ?? `Demonstrativo ${id}`

interface Props {
  page: number
  onPage: (page: number) => void
  onOpen: (id: number) => void
}

/** All remittances, newest first; one that was booked can be undone as a whole. */
export function HistoryTab({ page, onPage, onOpen }: Props) {
  const remittances = trpc.remittances.page.useQuery(
    { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  )
  const pageCount = Math.max(1, Math.ceil((remittances.data?.total ?? 0) / PAGE_SIZE))
  usePageInRange(page, remittances.isPlaceholderData ? undefined : remittances.data && pageCount, onPage)
  const [toUndo, setToUndo] = useState<RemittanceView | null>(null)
  const columns = useMemo(() => columnsOf(setToUndo), [])
  return (
    <>
      <DataTable
        label="Demonstrativos"
        query={remittances}
        columns={columns}
        card={(one) => (
          <div className="row-card panel">
            <div className="row-card-line">
              <strong className="clip">{nameOf(one)}</strong>
              <span className="remittance-card-meta">
                <StatusBadge badge={badgeOf(one)} />
                <Menu remittance={one} onUndo={setToUndo} />
              </span>
            </div>
            {one.number && one.filename && <span className="cell-second">{one.filename}</span>}
            <span className="cell-second">
              {one.brand.display_name} · {one.company.trading_name}
            </span>
            <div className="row-card-line numeric">
              <span className="muted">
                {one.paid_on && `Pago em ${dayText(one.paid_on)} · `}
                {counted(one.lines, 'linha', 'linhas')}
              </span>
              <strong>{brl(one.total)}</strong>
            </div>
            <span className="cell-second">
              Importado por {one.actor_name} em {dateTime(one.created_at)}
            </span>
          </div>
        )}
        onOpen={({ id }) => onOpen(id)}
        rowKeys={[
          {
            keys: 'delete',
            label: 'Desfazer importação',
            act: (one) => (one.status === 'done' ? setToUndo(one) : undefined),
          },
        ]}
        nameOf={nameOf}
        page={page}
        pageSize={PAGE_SIZE}
        total={remittances.data?.total ?? 0}
        onPage={onPage}
        errorTitle="Erro ao carregar demonstrativos"
        empty={
          <div className="panel">
            <EmptyState icon={<HistoryIcon size={20} />} title="Nenhum demonstrativo">
              Os arquivos importados aparecem aqui, com quem importou e o que foi lançado.
            </EmptyState>
          </div>
        }
      />
      <UndoDialog remittance={toUndo} onClose={() => setToUndo(null)} />
    </>
  )
}

const Menu = ({
  remittance,
  onUndo,
}: {
  remittance: RemittanceView
  onUndo: (one: RemittanceView) => void
}) =>
  remittance.status === 'done' ? (
    <RowMenu
      label={`Ações de ${nameOf(remittance)}`}
      items={[{ text: 'Desfazer importação', isDanger: true, onClick: () => onUndo(remittance) }]}
    />
  ) : null

const columnsOf = (onUndo: (one: RemittanceView) => void): Column<RemittanceView>[] => [
  {
    id: 'name',
    header: 'Demonstrativo',
    cell: ({ row: { original } }) => (
      <TwoLines first={nameOf(original)} second={original.number ? original.filename : null} />
    ),
  },
  {
    id: 'brand',
    header: 'Marca e empresa',
    cell: ({ row: { original } }) => (
      <TwoLines first={original.brand.display_name} second={original.company.trading_name} />
    ),
  },
  {
    id: 'status',
    header: 'Situação',
    meta: { width: 'w-badge' },
    cell: ({ row }) => <StatusBadge badge={badgeOf(row.original)} />,
  },
  {
    id: 'paid_on',
    header: 'Pago em',
    meta: { width: 'w-date' },
    cell: ({ row: { original } }) => (
      <span className="numeric">{original.paid_on ? dayText(original.paid_on) : '—'}</span>
    ),
  },
  {
    id: 'lines',
    header: 'Linhas',
    meta: { width: 'w-number', align: 'right', priority: 3 },
    cell: ({ row }) => <span className="numeric">{integer(row.original.lines)}</span>,
  },
  {
    id: 'total',
    header: 'Total',
    meta: { width: 'w-money', align: 'right' },
    cell: ({ row }) => <span className="numeric">{brl(row.original.total)}</span>,
  },
  {
    id: 'who',
    header: 'Importado por',
    meta: { width: 'w-tax-id', priority: 3 },
    cell: ({ row: { original } }) => (
      <TwoLines first={original.actor_name} second={dateTime(original.created_at)} />
    ),
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row }) => <Menu remittance={row.original} onUndo={onUndo} />,
  },
]

function UndoDialog({ remittance, onClose }: { remittance: RemittanceView | null; onClose: () => void }) {
  const last = useRef(remittance)
  if (remittance !== null) last.current = remittance
  const shown = last.current
  if (shown === null) return null
  return (
    <FormModal
      isOpen={remittance !== null}
      title={`Desfazer ${nameOf(shown)}?`}
      unsavedLabel="o motivo"
      width="narrow"
      onClose={onClose}
    >
      <UndoForm key={shown.id} remittance={shown} onDone={onClose} />
    </FormModal>
  )
}

function UndoForm({ remittance, onDone }: { remittance: RemittanceView; onDone: () => void }) {
  const { register, handleSubmit, formState } = useForm<RemittanceReason>({
    resolver: zodResolver(remittanceReason),
    mode: 'onTouched',
    defaultValues: { reason: '' },
  })
  const utils = trpc.useUtils()
  const undo = trpc.remittances.undo.useMutation({
    onSuccess() {
      void utils.remittances.invalidate()
      void utils.claims.invalidate()
      void utils.claimList.invalidate()
      toast.success({ title: 'Importação desfeita', description: nameOf(remittance) })
      onDone()
    },
    onError: (error) => reportFailedSave('Erro ao desfazer a importação', error),
  })
  return (
    <ModalForm
      submitText="Desfazer importação"
      isDirty={formState.isDirty && !undo.isSuccess}
      onSubmit={handleSubmit(({ reason }) => undo.mutateAsync({ id: remittance.id, reason }))}
    >
      <p className="dialog-lead">
        {bookedText(remittance)}.{' '}
        {remittance.booked === 0
          ? 'Não há lançamento a anular.'
          : 'O que foi lançado é anulado por lançamentos contrários, que ficam no histórico.'}
        {remittance.waiting > 0 && ' As linhas que esperam por uma decisão saem de Divergências.'}
      </p>
      <Field label="Motivo" isRequired error={formState.errors.reason?.message}>
        {(control) => <TextBox control={control} field={register('reason')} rows={2} />}
      </Field>
    </ModalForm>
  )
}
