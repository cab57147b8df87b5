import { Button } from '@blueprintjs/core'
import { EyeOpenIcon } from '@blueprintjs/icons'
import { SECURITY_KIND } from '@garantia/shared/audit/security'
import { dateTime } from '@garantia/shared/format'
import type { AccessEntry, AccessFilter } from '@garantia/shared/privacy/access'
import type { ReactNode } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { deviceOf } from '../../people/settings/device.ts'
import { LogList } from '../../people/settings/log-list.tsx'
import { detailLines } from '../../people/settings/security-labels.ts'
import '../../people/settings/settings.css'

interface Props {
  filter: AccessFilter
  label: string
  actions: ReactNode
  empty: string
  /** Below it, where a filter can be taken back. */
  onClear?: (() => void) | undefined
}

/** Who saw, downloaded, exported or revealed personal data, newest first. */
export function AccessList({ filter, label, actions, empty, onClear }: Props) {
  const accesses = trpc.privacy.accesses.useInfiniteQuery(filter, {
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return (
    <LogList
      label={label}
      failure="Erro ao carregar os acessos"
      query={accesses}
      entries={accesses.data?.pages
        .flatMap(({ entries }) => entries)
        .map((entry) => <Entry key={entry.id} entry={entry} hasOrder={filter.order_id === undefined} />)}
      actions={actions}
      empty={
        <EmptyState
          icon={<EyeOpenIcon size={18} />}
          title="Nenhum acesso encontrado"
          action={onClear && <Button text="Limpar Filtros" onClick={onClear} />}
        >
          {onClear ? 'Nenhum corresponde aos filtros escolhidos.' : empty}
        </EmptyState>
      }
    />
  )
}

function Entry({ entry, hasOrder }: { entry: AccessEntry; hasOrder: boolean }) {
  const { at, kind, actor_name, order_id, os_number, ip, user_agent } = entry
  const origin = [ip, user_agent && deviceOf(user_agent)].filter(Boolean).join(' · ')
  const order = os_number ? `OS ${os_number}` : order_id && `OS de id ${order_id}`
  return (
    <li className="audit-entry">
      <time className="muted numeric" dateTime={at}>
        {dateTime(at)}
      </time>
      <div className="audit-text">
        <span>
          <strong>{SECURITY_KIND[kind]}</strong>
          {hasOrder && order && ` · ${order}`}
        </span>
        {detailLines(entry).map((line) => (
          <span key={line} className="muted">
            {breakable(line)}
          </span>
        ))}
        {origin && (
          <span className="muted" title={user_agent ?? undefined}>
            {origin}
          </span>
        )}
      </div>
      <span className="muted audit-actor">{actor_name ? `por ${actor_name}` : 'sem entrada'}</span>
    </li>
  )
}
