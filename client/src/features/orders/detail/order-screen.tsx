import type { EvidenceList } from '@garantia/shared/evidence/schema'
import type { ShownOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useMe } from '../../../lib/actor.ts'
import { useLiveOrder } from '../../../lib/live-order.ts'
import { rememberOrder } from '../../../lib/recent-orders.ts'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { useDocumentTitle } from '../../../ui/page/document-title.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { useConversionToast } from '../../evidence/conversion-announcement.ts'
import { useEvidenceList } from '../../evidence/evidence-queries.ts'
import { countFiles } from '../../evidence/grid/evidence-counts.ts'
import { useOrderUpload } from '../../evidence/upload/order-upload.tsx'
import { ConversionBadge } from '../order/conversion-badge.tsx'
import { BackToList } from './back-to-list.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderNavigation } from './order-navigation.tsx'

const route = getRouteApi('/app/os/$id')
const GeneralTab = lazy(async () => ({ default: (await import('./general-tab.tsx')).GeneralTab }))
const EvidencePanel = lazy(async () => ({ default: (await import('./evidence-panel.tsx')).EvidencePanel }))
const ClaimBadge = lazy(async () => ({
  default: (await import('../../claims/claim/claim-badge.tsx')).ClaimBadge,
}))
const ClaimsTab = lazy(async () => ({
  default: (await import('../../claims/claim/claims-tab.tsx')).ClaimsTab,
}))
const HistoryTab = lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab }))

const TABS = ['geral', 'evidencias', 'garantia', 'historico'] as const
type OrderTab = (typeof TABS)[number]

export function OrderScreen({ order }: { order: ShownOrder }) {
  const wanted = route.useSearch({ select: (search) => search.tab })
  const tab = TABS.find((one) => one === wanted) ?? 'geral'
  const navigate = route.useNavigate()
  const show = (next: OrderTab) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })

  const evidence = useEvidenceList(order.id, { isWatched: tab === 'evidencias' })
  useFreshOrder(order.id, evidence.data)
  useLiveOrder(order.id)
  useConversionToast(order.id, evidence.data)
  useRemembered(order.id)
  useDocumentTitle(titleOf(order, evidence.data))
  const upload = useOrderUpload(order, { onSent: () => show('evidencias') })

  return (
    <>
      <PageHeader
        lead={<BackToList />}
        title={`OS ${order.os_number}`}
        aside={
          <>
            <CopyButton what="número da OS" text={order.os_number} />
            <StatusBadge badge={ORDER_STATUS[order.status]} />
            <ConversionBadge order={order} />
            <Suspense fallback={null}>
              <ClaimBadge order_id={order.id} />
            </Suspense>
          </>
        }
        subtitle={`${order.brand.display_name} · ${order.company.trading_name}`}
        actions={
          <>
            <OrderNavigation id={order.id} />
            <OrderActions order={order} />
          </>
        }
      />
      <PageTabs
        name="os"
        selected={tab}
        onSelect={show}
        tabs={[
          {
            id: 'geral',
            title: 'Informações Gerais',
            panel: <GeneralTab order={order} />,
          },
          {
            id: 'evidencias',
            label: 'Evidências',
            title: <EvidenceTitle total={evidence.data?.total_files} />,
            panel: <EvidencePanel order={order} evidence={evidence} onUpload={upload.open} />,
          },
          {
            id: 'garantia',
            title: 'Garantia',
            panel: <ClaimsTab order={order} />,
          },
          {
            id: 'historico',
            title: 'Histórico',
            panel: <HistoryTab order={order} />,
          },
        ]}
      />
      {upload.element}
    </>
  )
}

const EvidenceTitle = ({ total }: { total: number | undefined }) => (
  <>
    Evidências
    <span className="tab-count">{total}</span>
  </>
)

/** Adds the order to the palette's recent orders. */
function useRemembered(id: number) {
  const { data: me } = useMe()
  const person = me?.id
  useEffect(() => {
    if (person !== undefined) rememberOrder(person, id)
  }, [person, id])
}

/** «(3/7) OS 123456» while files are being converted: progress in the browser tab. */
function titleOf({ os_number }: ShownOrder, list: EvidenceList | undefined) {
  const { total, converted, converting } = countFiles(list?.evidence_files ?? [])
  return converting > 0 ? `(${converted}/${total}) OS ${os_number}` : `OS ${os_number}`
}

/** The order's statuses depend on its files: refetches the order when their counts change. */
function useFreshOrder(id: number, list: EvidenceList | undefined) {
  const utils = trpc.useUtils()
  const counts = list && JSON.stringify(countFiles(list.evidence_files))
  const before = useRef(counts)
  useEffect(() => {
    if (before.current !== undefined && before.current !== counts) {
      void utils.orders.one.invalidate({ id })
      void utils.orders.history.invalidate({ id })
    }
    before.current = counts
  }, [counts, id, utils])
}
