import { Button, HTMLSelect } from '@blueprintjs/core'
import { DownloadIcon, ShieldIcon } from '@blueprintjs/icons'
import {
  SECURITY_GROUPS,
  SECURITY_KIND,
  type SecurityEntry,
  type SecurityGroup,
} from '@garantia/shared/audit/security'
import { dateTime } from '@garantia/shared/format'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { download } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { usePress } from '../../../ui/press.ts'
import { deviceOf } from './device.ts'
import { LogList } from './log-list.tsx'
import { detailLines, GROUP_LABEL } from './security-labels.ts'

/** Who read personal data, and what was refused. */
export function SecurityTab() {
  const [group, setGroup] = useState<SecurityGroup>()
  const log = trpc.audit.security.useInfiniteQuery(
    { group },
    { getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined },
  )
  const exporting = useMutation({
    mutationFn: () => download('/security-log/export', 'registro-de-seguranca.jsonl'),
    onSuccess: () => toast.success({ title: 'Download concluído' }),
    onError: (error) =>
      toast.error({
        title: 'Erro ao exportar',
        description: messageOf(error, 'Não foi possível exportar o registro de segurança'),
      }),
  })
  const { press, isBusy } = usePress(() => exporting.mutateAsync())
  return (
    <LogList
      label="Registro de segurança"
      failure="Erro ao carregar o registro de segurança"
      query={log}
      entries={log.data?.pages
        .flatMap((page) => page.entries)
        .map((entry) => <Entry key={entry.id} entry={entry} />)}
      actions={
        <>
          <HTMLSelect
            aria-label="Mostrar"
            value={group ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setGroup(SECURITY_GROUPS.find((one) => one === value))
            }
          >
            <option value="">Consultas e recusas</option>
            {SECURITY_GROUPS.map((one) => (
              <option key={one} value={one}>
                {GROUP_LABEL[one]}
              </option>
            ))}
          </HTMLSelect>
          <Button icon={<DownloadIcon />} text="Exportar (JSON)" loading={isBusy} onClick={press} />
        </>
      }
      empty={
        <EmptyState icon={<ShieldIcon size={20} />} title="Nenhum registro encontrado">
          Aqui aparece quem consultou, exportou ou baixou dados de clientes, e o que foi recusado.
        </EmptyState>
      }
    />
  )
}

function Entry({ entry }: { entry: SecurityEntry }) {
  const { at, kind, actor_name, order_id, os_number, times, ip, user_agent } = entry
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
          {order && ` · ${order}`}
          {times > 1 && ` · ${times} vezes`}
        </span>
        {detailLines(entry).map((line) => (
          <span key={line} className="muted">
            {breakable(line)}
          </span>
        ))}
        {kind === 'refused.sign_in' && !('account_id' in entry.details) && (
          <span className="muted">Nenhuma conta tem o login digitado, que não é guardado.</span>
        )}
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
