import { ThListIcon } from '@blueprintjs/icons'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { brl, date } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { hasNoCompany } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { ConversionBadge } from '../order/conversion-badge.tsx'

export const REFRESH = 30_000
const ROWS = [0, 1, 2, 3, 4]

/** The five latest orders (DASH-6, DASH-7). */
export function RecentOrders() {
  const { data, error, errorUpdateCount, isPending, refetch } = trpc.dashboard.recent.useQuery(undefined, {
    refetchInterval: REFRESH,
  })
  return (
    <section className="panel recent" aria-labelledby="recent-orders">
      <header className="panel-head">
        <h2 id="recent-orders">Ordens recentes</h2>
        <Link to="/lista-os">Ver todas</Link>
      </header>
      {errorUpdateCount > 0 && !data ? (
        <ErrorState title="Erro ao carregar ordens recentes" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <NoOrders />
      ) : (
        <ul className="recent-list" aria-busy={isPending}>
          {data ? (
            data.map((order) => (
              <li key={order.id}>
                <RecentOrder order={order} />
              </li>
            ))
          ) : (
            <Delayed>
              {ROWS.map((row) => (
                <li key={row} className="recent-order">
                  <Skeleton width={70 - row * 6} />
                </li>
              ))}
            </Delayed>
          )}
        </ul>
      )}
    </section>
  )
}

function RecentOrder({ order }: { order: ListedOrder }) {
  const vehicle = [order.vehicle_model, order.vehicle_plate && formatPlate(order.vehicle_plate)]
  return (
    <Link to="/os/$id" params={{ id: order.id }} className="recent-order">
      <strong className="numeric">{order.os_number}</strong>
      <span className="recent-text">
        <span className="clip">{order.customer_name ?? 'Sem cliente'}</span>
        <span className="cell-second">
          {[order.brand.display_name, ...vehicle].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="recent-badges">
        <StatusBadge badge={ORDER_STATUS[order.status]} />
        <ConversionBadge order={order} />
      </span>
      <span className="recent-facts numeric">
        <span>{brl(order.total_value)}</span>
        <span className="cell-second">{date(order.opened_at)}</span>
      </span>
    </Link>
  )
}

function NoOrders() {
  const lacksCompany = hasNoCompany(useActor())
  return (
    <EmptyState
      icon={<ThListIcon size={20} />}
      title="Nenhuma ordem de serviço encontrada"
      action={lacksCompany ? null : <LinkButton to="/nova-os" text="Nova OS" />}
    >
      {lacksCompany
        ? 'Sua conta ainda não está vinculada a uma empresa. Fale com um administrador.'
        : 'Crie a primeira para começar.'}
    </EmptyState>
  )
}
