import { Button, HTMLSelect } from '@blueprintjs/core'
import { HistoryIcon } from '@blueprintjs/icons'
import {
  AUDIT_SUBJECTS,
  type AuditEvent,
  type AuditNames,
  type AuditSubject,
} from '@garantia/shared/audit/schema'
import { dateTime } from '@garantia/shared/format'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { breakable } from '../../../ui/page/breakable.tsx'
import { changeLines, kindLabel, SUBJECT_LABEL } from './audit-labels.ts'
import { deviceOf } from './device.ts'
import { LogList } from './log-list.tsx'

/** Who changed what, and who signed in from where; order events are in the order's own history. */
export function AuditTab() {
  const [subject, setSubject] = useState<AuditSubject>()
  const audit = trpc.audit.list.useInfiniteQuery(
    { subject },
    { getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined },
  )
  const entries = audit.data?.pages.flatMap(({ events, names }) =>
    events.map((event) => <Entry key={event.id} event={event} names={names} />),
  )
  return (
    <LogList
      label="Auditoria"
      failure="Erro ao carregar a auditoria"
      query={audit}
      entries={entries}
      actions={
        <HTMLSelect
          aria-label="Assunto"
          value={subject ?? ''}
          onChange={({ currentTarget: { value } }) => setSubject(AUDIT_SUBJECTS.find((one) => one === value))}
        >
          <option value="">Todos os assuntos</option>
          {AUDIT_SUBJECTS.map((one) => (
            <option key={one} value={one}>
              {SUBJECT_LABEL[one]}
            </option>
          ))}
        </HTMLSelect>
      }
      empty={
        <EmptyState
          icon={<HistoryIcon size={20} />}
          title="Nenhum registro encontrado"
          action={
            subject && <Button text="Mostrar todos os assuntos" onClick={() => setSubject(undefined)} />
          }
        >
          {subject
            ? `Nada foi registrado sobre «${SUBJECT_LABEL[subject]}» até agora.`
            : 'Aqui aparece quem entrou e quem alterou pessoas, empresas e marcas. O que acontece com uma OS fica no histórico dela.'}
        </EmptyState>
      }
    />
  )
}

function Entry({ event, names }: { event: AuditEvent; names: AuditNames }) {
  const { at, subject, subject_id, subject_name, kind, actor_name, ip, user_agent } = event
  const origin = [ip, user_agent && deviceOf(user_agent)].filter(Boolean).join(' · ')
  return (
    <li className="audit-entry">
      <time className="muted numeric" dateTime={at}>
        {dateTime(at)}
      </time>
      <div className="audit-text">
        <span>
          <strong>{kindLabel(kind)}</strong> · {SUBJECT_LABEL[subject]} {subject_name ?? `nº ${subject_id}`}
        </span>
        {changeLines(event, names).map((line) => (
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
      {/* A sign-in has no actor yet: its subject is the user who signs in. */}
      <span className="muted audit-actor">{ip ? '' : `por ${actor_name}`}</span>
    </li>
  )
}
