import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFound } from '../../../layout/not-found.tsx'
import { useActor } from '../../../lib/actor.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import './privacy.css'

const SubjectTab = lazy(async () => ({ default: (await import('./subject-tab.tsx')).SubjectTab }))
const AccessTab = lazy(async () => ({ default: (await import('./access-tab.tsx')).AccessTab }))
const compliance = () => import('../compliance/compliance-tabs.ts')
const RegisterTab = lazy(async () => ({ default: (await compliance()).RegisterTab }))
const IncidentsTab = lazy(async () => ({ default: (await compliance()).IncidentsTab }))
const CustomerRetentionTab = lazy(async () => ({ default: (await compliance()).CustomerRetentionTab }))

const route = getRouteApi('/app/lgpd')

/** Everyone else gets the «not found» page (D-84). */
export const PrivacyPage = () => (can(useActor(), 'privacy.manage') ? <Privacy /> : <NotFound />)

/** What the data protection law asks of the house: one tab for each of its duties. */
function Privacy() {
  const wanted = route.useSearch({ select: ({ tab }) => tab })
  const navigate = route.useNavigate()
  const tabs = [
    { id: 'titular', title: 'Titular', panel: <SubjectTab /> },
    { id: 'acessos', title: 'Acessos', panel: <AccessTab /> },
    { id: 'registro', title: 'Registro de tratamento', panel: <RegisterTab /> },
    { id: 'incidentes', title: 'Incidentes', panel: <IncidentsTab /> },
    { id: 'guarda', title: 'Prazo de guarda', panel: <CustomerRetentionTab /> },
  ] as const
  return (
    <>
      <PageHeader title="LGPD" />
      <PageTabs
        name="lgpd"
        tabs={tabs}
        selected={tabs.find(({ id }) => id === wanted)?.id ?? 'titular'}
        onSelect={(tab) => void navigate({ search: { tab }, replace: true, resetScroll: false })}
      />
    </>
  )
}
