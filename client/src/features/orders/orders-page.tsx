import { Button, HTMLSelect } from '@blueprintjs/core'
import { FilterRemoveIcon, PlusIcon, RefreshIcon, ThListIcon } from '@blueprintjs/icons'
import { counted } from '@garantia/shared/format'
import { ORDER_PAGE_SIZE, type OrderPage } from '@garantia/shared/orders/schema'
import { ORDER_STATUS, ORDER_STATUSES } from '@garantia/shared/orders/status'
import type { Actor } from '@garantia/shared/policy'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useActor } from '../../lib/actor.ts'
import { trpc } from '../../lib/trpc.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { useDebouncedText } from '../../ui/debounced-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { usePageInRange } from '../../ui/page-in-range.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { useShortcut } from '../../ui/shortcut.ts'
import { OrderCard } from './order-card.tsx'
import { orderColumns } from './order-columns.tsx'
import './orders.css'
import { NO_FILTER, type OrdersSearch } from './orders-search.ts'

const route = getRouteApi('/app/lista-os')

export function OrdersPage() {
  const { search, status, brand_id, page } = route.useSearch()
  const navigate = useNavigate()
  const filterBy = (change: Partial<OrdersSearch>) =>
    void navigate({
      to: '/lista-os',
      search: (now) => ({ ...NO_FILTER, ...now, page: 1, ...change }),
      replace: change.page === undefined,
    })
  const [typedSearch, setTypedSearch] = useDebouncedText(search, (text) => filterBy({ search: text }))

  const actor = useActor()
  const brands = trpc.brands.list.useQuery()
  const orders = trpc.orders.list.useQuery(
    {
      search: search || undefined,
      status: status || undefined,
      brand_id: brand_id || undefined,
      skip: (page - 1) * ORDER_PAGE_SIZE,
      limit: ORDER_PAGE_SIZE,
    },
    { placeholderData: keepPreviousData },
  )
  const pageCount = Math.max(1, Math.ceil((orders.data?.total ?? 0) / ORDER_PAGE_SIZE))
  usePageInRange(
    page,
    orders.isPlaceholderData ? undefined : orders.data && pageCount,
    (last) =>
      void navigate({
        to: '/lista-os',
        search: (now) => ({ ...NO_FILTER, ...now, page: last }),
        replace: true,
      }),
  )
  const isFiltered = search !== '' || status !== '' || brand_id !== 0
  const clear = () => {
    setTypedSearch('')
    void navigate({ to: '/lista-os', search: NO_FILTER })
  }
  useShortcut('n', () => void navigate({ to: '/nova-os' }))
  useShortcut('r', () => void orders.refetch())

  return (
    <>
      <PageHeader
        title="Ordens de Serviço"
        actions={
          <>
            <Button
              icon={<RefreshIcon />}
              text="Atualizar"
              title="Atualizar (r)"
              loading={orders.isFetching && !orders.isPending}
              onClick={() => void orders.refetch()}
            />
            <LinkButton
              to="/nova-os"
              intent="primary"
              icon={<PlusIcon />}
              text="Nova OS"
              title="Nova OS (n)"
            />
          </>
        }
      />
      <search className="toolbar">
        <SearchBox
          label="Buscar ordens de serviço"
          placeholder="Buscar por OS, cliente, placa ou chassi"
          value={typedSearch}
          onChange={setTypedSearch}
        />
        <HTMLSelect
          aria-label="Status"
          value={status}
          onChange={(event) => filterBy({ status: event.currentTarget.value as OrdersSearch['status'] })}
        >
          <option value="">Todos os status</option>
          {ORDER_STATUSES.map((one) => (
            <option key={one} value={one}>
              {ORDER_STATUS[one].label}
            </option>
          ))}
        </HTMLSelect>
        <HTMLSelect
          aria-label="Marca"
          value={brand_id}
          onChange={(event) => filterBy({ brand_id: Number(event.currentTarget.value) })}
        >
          <option value={0}>Todas as marcas</option>
          {brands.data?.data.map(({ id, display_name }) => (
            <option key={id} value={id}>
              {display_name}
            </option>
          ))}
        </HTMLSelect>
        <Button
          variant="minimal"
          icon={<FilterRemoveIcon />}
          text="Limpar Filtros"
          disabled={!isFiltered && typedSearch === ''}
          onClick={clear}
        />
        <span className="toolbar-count numeric" role="status">
          {orders.data && totalText(orders.data)}
        </span>
      </search>
      <DataTable
        label="Ordens de serviço"
        query={orders}
        columns={orderColumns}
        card={(order) => <OrderCard order={order} />}
        onOpen={(order) => void navigate({ to: '/os/$id', params: { id: order.id } })}
        page={page}
        pageSize={ORDER_PAGE_SIZE}
        total={orders.data?.total ?? 0}
        onPage={(next) => filterBy({ page: next })}
        errorTitle="Erro ao carregar ordens de serviço"
        empty={
          <div className="panel">
            <EmptyState
              icon={<ThListIcon size={20} />}
              title="Nenhuma ordem de serviço encontrada"
              action={
                hasNoCompany(actor) ? null : isFiltered ? (
                  <Button text="Limpar Filtros" onClick={clear} />
                ) : (
                  <LinkButton to="/nova-os" text="Nova OS" />
                )
              }
            >
              {whyEmpty(actor, isFiltered)}
            </EmptyState>
          </div>
        }
      />
    </>
  )
}

/** Signed up, and not yet assigned by an administrator: nothing can be seen, and nothing opened (D-34). */
const hasNoCompany = (actor: Actor) =>
  actor.kind === 'user' && actor.scope !== 'all' && actor.scope.length === 0

function whyEmpty(actor: Actor, isFiltered: boolean) {
  if (hasNoCompany(actor))
    return 'Sua conta ainda não está vinculada a uma empresa. Fale com um administrador.'
  return isFiltered ? 'Nenhuma corresponde aos filtros escolhidos.' : 'Crie a primeira para começar.'
}

/** Past a thousand matches the exact number costs more than it tells (D-55). */
const totalText = ({ total, total_is_exact }: OrderPage) =>
  total_is_exact ? counted(total, 'ordem de serviço', 'ordens de serviço') : 'mais de 1.000 ordens de serviço'
