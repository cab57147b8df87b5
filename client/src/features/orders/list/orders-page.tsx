import { Button } from '@blueprintjs/core'
import { ImportIcon, PlusIcon, RefreshIcon } from '@blueprintjs/icons'
import { counted } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_PAGE_SIZES } from '@garantia/shared/orders/criteria'
import type { OrderPage } from '@garantia/shared/orders/schema'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { hasNoCompany, mayImport, useActor } from '../../../lib/actor.ts'
import { useCompact } from '../../../lib/density.ts'
import { setPendingUploadIntent } from '../../../lib/pending-upload-intent.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PrintHead } from '../../../ui/page/print-head.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { useRowSelection } from '../../../ui/table/row-selection.ts'
import { TableFoot } from '../../../ui/table/table-foot.tsx'
import { usePackageDownload } from '../../evidence/package/package-download.ts'
import { AssignDialog } from './bulk/assign-dialog.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { useBulkActions } from './bulk/use-bulk-actions.ts'
import { usePackages } from './bulk/use-packages.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { OrderList } from './list-news.ts'
import { useListState } from './list-state.ts'
import './list.css'
import { NoOrders } from './no-orders.tsx'
import { OrderCard } from './order-card.tsx'
import { orderColumns } from './order-columns.tsx'
import { nameOf, ORDERS_TABLE } from './order-display.ts'
import { DownloadingOrderId, type OrderRowActions, unavailableReason } from './order-row-actions.ts'
import { criteriaOf, isFiltered } from './orders-search.ts'
import { Peek } from './peek/peek.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { useOrders } from './use-orders.ts'
import { useViewKeys } from './views/view-keys.ts'
import { ViewsMenu } from './views/views-menu.tsx'

const OutcomeDialog = lazy(async () => ({
  default: (await import('./bulk/outcome-dialog.tsx')).OutcomeDialog,
}))
const NewOrderModal = lazy(async () => ({
  default: (await import('../form/order-modal.tsx')).NewOrderModal,
}))
const PrintedFilter = lazy(async () => ({
  default: (await import('./printed-filter.tsx')).PrintedFilter,
}))
const NONE: readonly ListedOrder[] = []

export function OrdersPage() {
  const list = useListState()
  const { state } = list
  const navigate = useNavigate()
  const actor = useActor()
  const person = actor.kind === 'user' ? actor.id : 0
  const isCompact = useCompact(person)
  const mayOpen = !hasNoCompany(actor)
  const [typedSearch, setTypedSearch] = useDebouncedText(state.search, list.searchFor)
  const { orders, news, isRefreshing, refresh } = useOrders(list)
  const clear = () => {
    setTypedSearch('')
    list.clear()
  }

  const selection = useRowSelection(JSON.stringify(criteriaOf(state)), orders.data?.items ?? NONE)
  const bulk = useBulkActions(selection)
  // It stays, so that the focus returns as it closes.
  const wasRefused = useRef(false)
  wasRefused.current ||= bulk.outcome !== null
  const [isCreating, setIsCreating] = useState(false)
  const wasCreating = useRef(false)
  wasCreating.current ||= isCreating
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [ordersToAssign, setOrdersToAssign] = useState(NONE)
  const [ordersToTransition, setOrdersToTransition] = useState(NONE)
  const [ordersToDelete, setOrdersToDelete] = useState(NONE)
  const [peeked, setPeeked] = useState<ListedOrder | null>(null)
  const { fetchPackage, fetchedId } = usePackageDownload()
  const packages = usePackages()
  const rowActions: OrderRowActions = useMemo(
    () => ({
      download: fetchPackage,
      edit: ({ id }) => void navigate({ to: '/os/$id/edit', params: { id } }),
      changeStatus: (order) => setOrdersToTransition([order]),
      assign: (order) => setOrdersToAssign([order]),
      upload: ({ id }) => {
        setPendingUploadIntent(id)
        void navigate({ to: '/os/$id', params: { id }, search: { tab: 'evidencias' } })
      },
      remove: (order) => setOrdersToDelete([order]),
      peek: setPeeked,
    }),
    [fetchPackage, navigate],
  )
  const columns = useMemo(() => orderColumns(rowActions), [rowActions])
  /** A shortcut that is not available shows the reason instead. */
  const ifAllowed = (action: keyof typeof unavailableReason) => (order: ListedOrder) => {
    const reason = unavailableReason[action](actor, order)
    if (reason === null) rowActions[action](order)
    else toast.warning({ title: nameOf(order), description: reason })
  }
  const listed = orders.isPlaceholderData ? undefined : orders.data?.items
  // A preview ends with its row, such as by another page or filter, or when the order is deleted.
  useEffect(() => {
    if (listed) setPeeked((now) => (now && listed.some(({ id }) => id === now.id) ? now : null))
  }, [listed])
  const peek = { isOpen: peeked !== null, show: setPeeked, close: () => setPeeked(null) }
  const isInMultiSelection = (order: ListedOrder) => selection.rows.length > 1 && selection.has(order)

  useShortcut('n', () => setIsCreating(true), { isEnabled: mayOpen, label: 'Nova OS' })
  useShortcut('r', refresh, { label: 'Atualizar' })
  useShortcut('escape', clear, { label: 'Limpar Filtros', when: () => isFiltered(state) })
  useViewKeys(list, listed)
  const hint = useKeyHint()
  const refreshButton = useRef<HTMLButtonElement>(null)

  return (
    <div
      className={['orders-list print-wide', isUnfolded && 'shows-filters', isCompact && 'is-compact']
        .filter(Boolean)
        .join(' ')}
    >
      <PageHeader
        title="Ordens de Serviço"
        aside={
          <>
            <span className="muted numeric" role="status">
              {orders.data && totalText(orders.data)}
            </span>
            <span role="status">
              {news && (
                <Button
                  className="list-news"
                  variant="outlined"
                  size="small"
                  text={`${news.added > 0 ? counted(news.added, 'nova', 'novas') : 'A lista mudou'} · atualizar`}
                  onClick={() => {
                    news.take()
                    refreshButton.current?.focus()
                  }}
                />
              )}
            </span>
          </>
        }
        actions={
          <>
            {mayImport(actor) && (
              <LinkButton className="orders-import" icon={<ImportIcon />} text="Importar" to="/importar" />
            )}
            <ExportMenu state={state} isEmpty={!orders.data?.total} onPackages={packages.show} />
            <Button
              ref={refreshButton}
              icon={<RefreshIcon />}
              text="Atualizar"
              {...hint('Atualizar', 'r')}
              loading={isRefreshing}
              onClick={refresh}
            />
            {mayOpen && (
              <Button
                intent="primary"
                icon={<PlusIcon />}
                text="Nova OS"
                {...hint('Nova OS', 'n')}
                onClick={() => setIsCreating(true)}
              />
            )}
          </>
        }
      />
      <Suspense>
        {isFiltered(state) ? (
          <PrintedFilter state={state} at={orders.dataUpdatedAt} />
        ) : (
          <PrintHead at={orders.dataUpdatedAt} />
        )}
      </Suspense>
      <SummaryCards
        summary={orders.data?.summary}
        isStale={orders.isPlaceholderData}
        isFailed={orders.isError}
        status={state.status}
        onFilter={(status) => list.filterBy({ status })}
      />
      <FilterBar
        list={list}
        isUnfolded={isUnfolded}
        onUnfold={setIsUnfolded}
        typedSearch={typedSearch}
        isPending={typedSearch.trim() !== state.search || orders.isPending || orders.isPlaceholderData}
        onType={setTypedSearch}
        onClear={clear}
      >
        <ViewsMenu list={list} />
      </FilterBar>
      <div className="orders-body">
        <DownloadingOrderId value={fetchedId}>
          <DataTable
            label={ORDERS_TABLE}
            query={orders}
            columns={columns}
            card={(order) => <OrderCard order={order} actions={rowActions} selection={selection} />}
            onOpen={({ id }) => void navigate({ to: '/os/$id', params: { id } })}
            rowKeys={[
              { keys: 'e', label: 'Editar', act: ifAllowed('edit') },
              {
                keys: 's',
                label: 'Mudar status',
                act: (order) =>
                  isInMultiSelection(order)
                    ? setOrdersToTransition(selection.rows)
                    : ifAllowed('changeStatus')(order),
              },
              {
                keys: 'a',
                label: 'Mudar responsável',
                act: (order) =>
                  isInMultiSelection(order) ? setOrdersToAssign(selection.rows) : ifAllowed('assign')(order),
              },
              { keys: 'u', label: 'Enviar evidências', act: ifAllowed('upload') },
              {
                keys: 'd',
                label: 'Baixar Evidências (ZIP)',
                act: (order) =>
                  isInMultiSelection(order) ? packages.request(selection.rows) : ifAllowed('download')(order),
              },
              {
                keys: 'delete',
                label: 'Excluir',
                act: (order) =>
                  isInMultiSelection(order) ? setOrdersToDelete(selection.rows) : ifAllowed('remove')(order),
              },
            ]}
            sort={{ by: state.sort, direction: state.direction, onSort: list.sortBy }}
            selection={selection}
            peek={peek}
            nameOf={nameOf}
            page={state.page}
            pageSize={state.limit}
            total={orders.data?.total ?? 0}
            isTotalExact={orders.data?.total_is_exact}
            onPage={list.turnTo}
            foot={
              <TableFoot
                sizes={ORDER_PAGE_SIZES}
                size={state.limit}
                total={orders.data?.total ?? 0}
                onResize={list.resize}
                person={person}
                isCompact={isCompact}
              />
            }
            errorTitle="Erro ao carregar ordens de serviço"
            empty={
              <NoOrders isFiltered={isFiltered(state)} onClear={clear} onOpen={() => setIsCreating(true)} />
            }
          />
        </DownloadingOrderId>
        <Peek order={peeked && freshest(peeked, orders.data)} onClose={peek.close} />
      </div>
      <BulkBar
        selection={selection}
        isBusy={bulk.isBusy}
        onStatus={() => setOrdersToTransition(selection.rows)}
        onAssign={() => setOrdersToAssign(selection.rows)}
        onConvert={() => bulk.convert(selection.rows)}
        onPackages={() => packages.request(selection.rows)}
        isAskingForPackages={packages.isBusy}
        onRemove={() => setOrdersToDelete(selection.rows)}
      />
      <StatusDialog
        orders={ordersToTransition}
        isBusy={bulk.isBusy}
        onChange={(change) => bulk.setStatus(ordersToTransition, change, () => setOrdersToTransition(NONE))}
        onResume={() => bulk.resume(ordersToTransition, () => setOrdersToTransition(NONE))}
        onClose={() => setOrdersToTransition(NONE)}
      />
      <AssignDialog
        orders={ordersToAssign}
        isBusy={bulk.isBusy}
        onAssign={(responsible) => bulk.assign(ordersToAssign, responsible, () => setOrdersToAssign(NONE))}
        onClose={() => setOrdersToAssign(NONE)}
      />
      <RemovalDialog
        orders={ordersToDelete}
        onRemoveMany={(many) => bulk.remove(many, () => setOrdersToDelete(NONE))}
        onRemoved={({ id }) => selection.drop([id])}
        onClose={() => setOrdersToDelete(NONE)}
      />
      {packages.dialog}
      {wasRefused.current && (
        <Suspense>
          <OutcomeDialog outcome={bulk.outcome} isBusy={bulk.isBusy} onClose={bulk.clearOutcome} />
        </Suspense>
      )}
      {wasCreating.current && (
        <Suspense>
          <NewOrderModal isOpen={isCreating} onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** The order as currently listed, or as it was when it left the list. */
const freshest = (order: ListedOrder, page: OrderList | undefined) =>
  page?.items.find(({ id }) => id === order.id) ?? order

/** Above 1,000 matches the server does not count exactly, because of the cost (D-55). */
const totalText = ({ total, total_is_exact }: OrderPage) =>
  total_is_exact ? counted(total, 'ordem de serviço', 'ordens de serviço') : 'mais de 1.000 ordens de serviço'
