import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_PAGE_SIZES } from '@garantia/shared/orders/criteria'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { useCompact } from '../../../lib/density.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { useIsNarrow } from '../../../ui/page/narrow.ts'
import { PrintHead } from '../../../ui/page/print-head.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { useRowSelection } from '../../../ui/table/row-selection.ts'
import { TableFoot } from '../../../ui/table/table-foot.tsx'
import { usePackageDownload } from '../../evidence/package/package-download.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { usePackages } from './bulk/use-packages.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListHeader } from './list-header.tsx'
import type { OrderList } from './list-news.ts'
import { useListState } from './list-state.ts'
import './list.css'
import { OrderCard } from './order-card.tsx'
import { orderColumns } from './order-columns.tsx'
import { nameOf, ORDERS_TABLE } from './order-display.ts'
import { DownloadingOrderId } from './order-row-actions.ts'
import { criteriaOf, isFiltered } from './orders-search.ts'
import { usePrintRecord } from './print-record.ts'
import { SummaryCards } from './summary-cards.tsx'
import { useListDialogs } from './use-list-dialogs.tsx'
import { useOrders } from './use-orders.ts'
import { useRowActions } from './use-row-actions.ts'
import { useViewKeys } from './view-keys.ts'

const PrintedFilter = lazy(async () => ({
  default: (await import('./printed-filter.tsx')).PrintedFilter,
}))
const NoOrders = lazy(async () => ({ default: (await import('./no-orders.tsx')).NoOrders }))
const Peek = lazy(async () => ({ default: (await import('./peek/peek.tsx')).Peek }))
const NONE: readonly ListedOrder[] = []

export function OrdersPage() {
  const list = useListState()
  const { state } = list
  const navigate = useNavigate()
  const actor = useActor()
  const person = actor.kind === 'user' ? actor.id : 0
  const isCompact = useCompact(person)
  const isNarrow = useIsNarrow()
  const [typedSearch, setTypedSearch] = useDebouncedText(state.search, list.searchFor)
  const found = useOrders(list)
  const { orders } = found
  const clear = () => {
    setTypedSearch('')
    list.clear()
  }

  const selection = useRowSelection(JSON.stringify(criteriaOf(state)), orders.data?.items ?? NONE)
  const dialogs = useListDialogs(selection)
  const packages = usePackages()
  const { fetchPackage, fetchedId } = usePackageDownload()
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [peeked, setPeeked] = useState<ListedOrder | null>(null)
  const wasPeeked = useRef(false)
  wasPeeked.current ||= peeked !== null
  const row = useRowActions(selection, {
    ...dialogs,
    download: fetchPackage,
    downloadMany: packages.request,
    peek: setPeeked,
  })
  const columns = useMemo(() => orderColumns(row.actions), [row.actions])
  const listed = orders.isPlaceholderData ? undefined : orders.data?.items
  // A preview ends with its row, such as by another page or filter, or when the order is deleted.
  useEffect(() => {
    if (listed) setPeeked((now) => (now && listed.some(({ id }) => id === now.id) ? now : null))
  }, [listed])
  const peek = { isOpen: peeked !== null, show: setPeeked, close: () => setPeeked(null) }

  useShortcut('escape', clear, { label: 'Limpar Filtros', when: () => isFiltered(state) })
  useViewKeys(list, listed)
  usePrintRecord(state)

  const cards = (
    <SummaryCards
      summary={orders.data?.summary}
      isStale={orders.isPlaceholderData}
      isFailed={orders.isError}
      status={state.status}
      onFilter={(status) => list.filterBy({ status })}
    />
  )
  return (
    <div
      className={['orders-list print-wide', isUnfolded && 'shows-filters', isCompact && 'is-compact']
        .filter(Boolean)
        .join(' ')}
    >
      <ListHeader {...found} state={state} onCreate={dialogs.create} onPackages={packages.show} />
      <Suspense>
        {isFiltered(state) ? (
          <PrintedFilter state={state} at={orders.dataUpdatedAt} />
        ) : (
          <PrintHead at={orders.dataUpdatedAt} />
        )}
      </Suspense>
      {!isNarrow && cards}
      <FilterBar
        list={list}
        isUnfolded={isUnfolded}
        onUnfold={setIsUnfolded}
        typedSearch={typedSearch}
        isPending={typedSearch.trim() !== state.search || orders.isPending || orders.isPlaceholderData}
        onType={setTypedSearch}
        onClear={clear}
      />
      {/* Above, they would push «Filtros», which shows them, away from under the finger. */}
      {isNarrow && cards}
      <div className="orders-body">
        <DownloadingOrderId value={fetchedId}>
          <DataTable
            label={ORDERS_TABLE}
            query={orders}
            columns={columns}
            card={(order) => <OrderCard order={order} actions={row.actions} selection={selection} />}
            onOpen={({ id }) => void navigate({ to: '/os/$id', params: { id } })}
            rowKeys={row.keys}
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
              <Suspense>
                <NoOrders state={state} onClear={clear} onOpen={dialogs.create} />
              </Suspense>
            }
          />
        </DownloadingOrderId>
        {wasPeeked.current && (
          <Suspense fallback={null}>
            <Peek order={peeked && freshest(peeked, orders.data)} onClose={peek.close} />
          </Suspense>
        )}
      </div>
      <BulkBar
        selection={selection}
        isBusy={dialogs.isBusy}
        onStatus={() => dialogs.changeStatus(selection.rows)}
        onAssign={() => dialogs.assign(selection.rows)}
        onConvert={dialogs.convert}
        onPackages={() => packages.request(selection.rows)}
        isAskingForPackages={packages.isBusy}
        onRemove={() => dialogs.remove(selection.rows)}
      />
      {dialogs.elements}
      {packages.dialog}
    </div>
  )
}

/** The order as currently listed, or as it was when it left the list. */
const freshest = (order: ListedOrder, page: OrderList | undefined) =>
  page?.items.find(({ id }) => id === order.id) ?? order
