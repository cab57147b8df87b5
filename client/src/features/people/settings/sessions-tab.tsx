import { Button } from '@blueprintjs/core'
import { DesktopIcon, MobilePhoneIcon } from '@blueprintjs/icons'
import type { SessionView } from '@garantia/shared/auth/schema'
import { SESSION_METHOD_LABEL } from '@garantia/shared/auth/second-factor'
import { dateTime } from '@garantia/shared/format'
import { useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { usePress } from '../../../ui/press.ts'
import { deviceOf, isHandheld } from './device.ts'
import { EndAccess } from './end-access.tsx'
import { removal } from './removal.ts'
import { SettingsList, SettingsRow } from './settings-list.tsx'

/** Active sessions of the account; they can be ended here (D-36). */
export function SessionsTab() {
  const { data, error, refetch } = trpc.account.sessions.useQuery()
  const list = useRef<HTMLUListElement>(null)
  if (error && !data)
    return <ErrorState title="Erro ao carregar sessões" error={error} onRetry={() => void refetch()} />
  return (
    <div className="settings">
      <p className="muted">
        Onde a sua conta está aberta. Se não reconhecer uma sessão, encerre-a e troque a senha.
      </p>
      <SettingsList ref={list} label="Sessões abertas" items={data && ownFirst(data.data)}>
        {(session) => <Session key={session.id} session={session} onClosed={() => list.current?.focus()} />}
      </SettingsList>
      <EndAccess />
    </div>
  )
}

const ownFirst = (sessions: readonly SessionView[]) =>
  sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

function Session({ session, onClosed }: { session: SessionView; onClosed: () => void }) {
  const { id, ip, user_agent, created_at, expires_at, method, is_current } = session
  const utils = trpc.useUtils()
  const device = deviceOf(user_agent)
  const refresh = () => utils.account.sessions.invalidate()
  const close = trpc.account.closeSession.useMutation(
    removal({ title: 'Sessão encerrada', name: device, refresh, onRemoved: onClosed }),
  )
  const { press, isBusy } = usePress(() => close.mutateAsync({ id }))
  return (
    <SettingsRow
      icon={isHandheld(user_agent) ? <MobilePhoneIcon size={18} /> : <DesktopIcon size={18} />}
      title={device}
      tooltip={user_agent ?? undefined}
      facts={
        <>
          <span>{ip ?? 'Endereço desconhecido'}</span>
          <span>Desde {dateTime(created_at)}</span>
          <span>Expira em {dateTime(expires_at)}</span>
          {method !== 'password' && <span>{SESSION_METHOD_LABEL[method]}</span>}
        </>
      }
    >
      {is_current ? (
        <Badge colour="green">Esta sessão</Badge>
      ) : (
        <Button
          text="Encerrar"
          aria-label={`Encerrar: ${device}, ${ip ?? 'endereço desconhecido'}`}
          loading={isBusy}
          onClick={press}
        />
      )}
    </SettingsRow>
  )
}
