import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import '../../orders/import/import.css'
import './remittances.css'

const route = getRouteApi('/app/conciliacao')
const ImportTab = lazy(async () => ({ default: (await import('./import-tab.tsx')).ImportTab }))
const TypedTab = lazy(async () => ({ default: (await import('./typed-tab.tsx')).TypedTab }))
const DifferencesTab = lazy(async () => ({ default: (await import('./differences-tab.tsx')).DifferencesTab }))
const HistoryTab = lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab }))

/** Remittances of the brands: imported, compared with what they authorised, and undone. */
export function RemittancesPage() {
  const { tab, id, page } = route.useSearch()
  const navigate = route.useNavigate()
  const mayList = can(useActor(), 'remittance.list')
  const waiting = trpc.remittances.differences.useQuery({ limit: 1 }, { enabled: mayList })
  const turnTo = (page: number) => void navigate({ search: (now) => ({ ...now, page }), resetScroll: false })
  if (!mayList)
    return (
      <PageHeader
        title="Conciliação"
        subtitle="Quem gerencia a concessionária confere os demonstrativos de pagamento."
      />
    )
  return (
    <div className="remittances">
      <PageHeader title="Conciliação" subtitle="O que as marcas pagaram, comparado com o que autorizaram." />
      <PageTabs
        name="conciliacao"
        selected={tab}
        onSelect={(next) => void navigate({ search: { tab: next, id: 0, page: 1 } })}
        tabs={[
          {
            id: 'importar',
            title: 'Importar',
            panel: (
              <ImportTab
                id={id}
                onReceived={(next) => void navigate({ search: { tab, id: next, page: 1 } })}
              />
            ),
          },
          {
            id: 'digitar',
            title: 'Digitar',
            panel: (
              <TypedTab onBooked={(id) => void navigate({ search: { tab: 'importar', id, page: 1 } })} />
            ),
          },
          {
            id: 'divergencias',
            label: 'Divergências',
            title: (
              <>
                Divergências
                {!waiting.isError && <span className="tab-count">{waiting.data?.total}</span>}
              </>
            ),
            panel: <DifferencesTab page={page} onPage={turnTo} />,
          },
          {
            id: 'historico',
            title: 'Histórico',
            panel: (
              <HistoryTab
                page={page}
                onPage={turnTo}
                onOpen={(id) => void navigate({ search: { tab: 'importar', id, page: 1 } })}
              />
            ),
          },
        ]}
      />
    </div>
  )
}
