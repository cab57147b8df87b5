import { Button } from '@blueprintjs/core'
import { DesktopIcon, MobilePhoneIcon } from '@blueprintjs/icons'
import type { SessionView } from '@garantia/shared/auth/schema'
import { SESSION_METHOD_LABEL } from '@garantia/shared/auth/second-factor'
import { dateTime } from '@garantia/shared/format'
import { useRef } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import { deviceOf, isHandheld } from './device.ts'
import { EndAccess } from './end-access.tsx'

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
      <ul ref={list} tabIndex={-1} className="sessions panel" aria-label="Sessões abertas" aria-busy={!data}>
        {data ? (
          ownFirst(data.data).map((session) => (
            <Session key={session.id} session={session} onClosed={() => list.current?.focus()} />
          ))
        ) : (
          <Delayed>
            <li className="session">
              <Skeleton width={40} />
            </li>
          </Delayed>
        )}
      </ul>
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
  const close = trpc.account.closeSession.useMutation({
    onSuccess: async () => {
      toast.success({ title: 'Sessão encerrada', description: device })
      onClosed()
      await utils.account.sessions.invalidate()
    },
    onError: (error) => {
      toast.error({ title: 'Erro', description: messageOf(error) })
      void utils.account.sessions.invalidate()
    },
  })
  const { press, isBusy } = usePress(() => close.mutateAsync({ id }))
  return (
    <li className="session">
      <span className="session-icon" aria-hidden="true">
        {isHandheld(user_agent) ? <MobilePhoneIcon size={18} /> : <DesktopIcon size={18} />}
      </span>
      <div className="session-text">
        <strong title={user_agent ?? undefined}>{device}</strong>
        <span className="muted numeric">
          <span>{ip ?? 'Endereço desconhecido'}</span>
          <span>Desde {dateTime(created_at)}</span>
          <span>Expira em {dateTime(expires_at)}</span>
          {method !== 'password' && <span>{SESSION_METHOD_LABEL[method]}</span>}
        </span>
      </div>
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
    </li>
  )
}
