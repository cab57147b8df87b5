import { isMasked } from '@garantia/shared/br/mask'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { date } from '@garantia/shared/format'
import type { RelatedGroup } from '@garantia/shared/orders/related'
import type { OrderView } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { NO_FILTER } from '../list/orders-search.ts'
import './related-orders.css'

/** Other orders of the same vehicle and of the same customer, beside an order. */
export function RelatedOrders({ order }: { order: OrderView }) {
  const { data, error, refetch } = trpc.orderList.related.useQuery({ id: order.id })
  const id = useId()
  const plate = order.vehicle_plate && formatPlate(order.vehicle_plate)
  return (
    <section className="order-card" aria-labelledby={id}>
      <h2 id={id}>Outras OS</h2>
      {error && !data && (
        <ErrorState title="Erro ao carregar outras OS" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton width={70} />}
      {data && data.vehicle.orders.length + data.customer.orders.length === 0 && (
        <p className="muted">Nenhuma outra OS deste veículo nem deste cliente.</p>
      )}
      {data && (
        <>
          <Group
            title="Deste veículo"
            group={data.vehicle}
            search={plate ?? searchable(order.vehicle_chassis)}
          />
          <Group title="Deste cliente" group={data.customer} search={searchable(order.customer_document)} />
        </>
      )}
    </section>
  )
}

/** What the list can be searched for; nothing where only the end is known. */
const searchable = (number: string | null) => (number && !isMasked(number) ? number : '')

function Group({ title, group, search }: { title: string; group: RelatedGroup; search: string }) {
  if (group.orders.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className="related">
        {group.orders.map((one) => (
          <li key={one.id}>
            <Link to="/os/$id" params={{ id: one.id }}>
              OS {one.os_number}
            </Link>
            <span className="muted numeric">{date(one.opened_at)}</span>
            <span className="related-vehicle">
              {[one.brand, one.vehicle_model].filter(Boolean).join(' · ')}
            </span>
            <StatusBadge badge={ORDER_STATUS[one.status]} />
          </li>
        ))}
      </ul>
      {group.has_more && search !== '' && (
        <Link className="related-all" to="/lista-os" search={{ ...NO_FILTER, search }}>
          Ver todas na lista
        </Link>
      )}
    </>
  )
}
