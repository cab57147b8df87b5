import { getRouteApi } from '@tanstack/react-router'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed } from '../../../ui/feedback/skeleton.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { MissingOrder } from '../order/missing-order.tsx'
import { BackToList } from './back-to-list.tsx'
import { OrderScreen } from './order-screen.tsx'
import { OrderSkeleton } from './order-skeleton.tsx'
import './order-detail.css'

const route = getRouteApi('/app/os/$id')

export function OrderDetailPage() {
  const { id } = route.useParams()
  const { data: order, error, refetch } = trpc.orders.one.useQuery({ id })
  if (statusOf(error) === 404) return <MissingOrder />
  if (order) return <OrderScreen key={order.id} order={order} />
  if (error)
    return (
      <>
        <PageHeader lead={<BackToList />} title="Ordem de serviço" />
        <ErrorState title="Erro ao carregar ordem de serviço" error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <Delayed>
      <OrderSkeleton />
    </Delayed>
  )
}
