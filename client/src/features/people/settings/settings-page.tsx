import { ShieldIcon } from '@blueprintjs/icons'
import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { useActor, useMe } from '../../../lib/actor.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { ProfileTab } from './profile-tab.tsx'
import './settings.css'
import { ThemeTab } from './theme-tab.tsx'

const AuditTab = lazy(async () => ({ default: (await import('./audit-tab.tsx')).AuditTab }))
const FactorsTab = lazy(async () => ({ default: (await import('./factors-tab.tsx')).FactorsTab }))
const OutboxTab = lazy(async () => ({ default: (await import('./outbox-tab.tsx')).OutboxTab }))
const PasswordTab = lazy(async () => ({ default: (await import('./password-tab.tsx')).PasswordTab }))
const SecurityTab = lazy(async () => ({ default: (await import('./security-tab.tsx')).SecurityTab }))
const SessionsTab = lazy(async () => ({ default: (await import('./sessions-tab.tsx')).SessionsTab }))
const StorageTab = lazy(async () => ({ default: (await import('./storage-tab.tsx')).StorageTab }))
const SystemTab = lazy(async () => ({ default: (await import('./system-tab.tsx')).SystemTab }))
const WebhooksTab = lazy(async () => ({ default: (await import('./webhooks-tab.tsx')).WebhooksTab }))
const TokensTab = lazy(async () => ({ default: (await import('./tokens-tab.tsx')).TokensTab }))

const route = getRouteApi('/app/settings')

export function SettingsPage() {
  const wanted = route.useSearch({ select: ({ tab }) => tab })
  const navigate = route.useNavigate()
  const { data: me } = useMe()
  const actor = useActor()
  if (!me) return null

  const tabs = [
    { id: 'perfil', title: 'Meu Perfil', panel: <ProfileTab me={me} /> },
    { id: 'senha', title: 'Senha', panel: <PasswordTab me={me} /> },
    { id: 'aparencia', title: 'Aparência (tema)', panel: <ThemeTab me={me} /> },
    { id: 'seguranca', title: 'Segurança', panel: <FactorsTab /> },
    { id: 'sessoes', title: 'Sessões', panel: <SessionsTab /> },
    { id: 'tokens', title: 'Tokens de API', panel: <TokensTab /> },
    ...(can(actor, 'installation.read')
      ? [{ id: 'webhooks', title: 'Webhooks', panel: <WebhooksTab /> } as const]
      : []),
    ...(can(actor, 'mail.read')
      ? [{ id: 'caixa', title: 'Caixa de saída', panel: <OutboxTab /> } as const]
      : []),
    ...(can(actor, 'audit.read')
      ? ([
          { id: 'auditoria', title: 'Auditoria', panel: <AuditTab /> },
          { id: 'registro', title: 'Registro de segurança', panel: <SecurityTab /> },
        ] as const)
      : []),
    ...(can(actor, 'quota.read')
      ? [{ id: 'armazenamento', title: 'Armazenamento', panel: <StorageTab /> } as const]
      : []),
    ...(can(actor, 'installation.read')
      ? [{ id: 'sistema', title: 'Sistema', panel: <SystemTab /> } as const]
      : []),
  ] as const
  return (
    <>
      <PageHeader
        title="Configurações"
        actions={can(actor, 'privacy.manage') && <LinkButton icon={<ShieldIcon />} text="LGPD" to="/lgpd" />}
      />
      <PageTabs
        name="settings"
        tabs={tabs}
        selected={tabs.find(({ id }) => id === wanted)?.id ?? 'perfil'}
        onSelect={(tab) => void navigate({ search: { tab }, replace: true, resetScroll: false })}
      />
    </>
  )
}
