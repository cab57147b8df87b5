import { Button } from '@blueprintjs/core'
import { ShieldIcon } from '@blueprintjs/icons'
import { dateTime, integer } from '@garantia/shared/format'
import type { BadgeColour } from '@garantia/shared/orders/status'
import {
  INCIDENT_LABEL,
  INCIDENT_TEXTS,
  type IncidentState,
  type IncidentView,
  incidentState,
  NOTICE,
} from '@garantia/shared/privacy/incident'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { IncidentDialog } from './incident-dialog.tsx'
import './compliance.css'

const STATE: Record<IncidentState, { label: string; colour: BadgeColour }> = {
  running: { label: 'No prazo', colour: 'orange' },
  late: { label: 'Prazo vencido', colour: 'red' },
  told: { label: 'Comunicado', colour: 'green' },
  not_required: { label: 'Não se comunica', colour: 'gray' },
  closed: { label: 'Encerrado', colour: 'gray' },
}

/** Reports of security incidents with the clock of Resolução CD/ANPD 15/2024. */
export function IncidentsTab() {
  const { data, error, refetch } = trpc.compliance.incidents.useQuery()
  const [edited, setEdited] = useState<IncidentView | 'new' | null>(null)
  const [printed, setPrinted] = useState<number | null>(null)
  if (error && !data)
    return <ErrorState title="Erro ao carregar os incidentes" error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingPanel />
  const print = (id: number) => {
    flushSync(() => setPrinted(id))
    window.print()
    setPrinted(null)
  }
  const open = <Button intent="primary" text="Registrar incidente" onClick={() => setEdited('new')} />
  return (
    <div className="compliance">
      {data.length === 0 ? (
        <EmptyState icon={<ShieldIcon size={20} />} title="Nenhum incidente registrado" action={open}>
          Um incidente que possa causar risco ou dano relevante é comunicado à ANPD e aos titulares em 3 dias
          úteis.
        </EmptyState>
      ) : (
        <div className="compliance-top no-print">
          <span className="compliance-gap" />
          {open}
        </div>
      )}
      {data.map((incident) => (
        <IncidentCard
          key={incident.id}
          incident={incident}
          isPrinted={printed === null || printed === incident.id}
          onEdit={() => setEdited(incident)}
          onPrint={() => print(incident.id)}
        />
      ))}
      <IncidentDialog subject={edited} onClose={() => setEdited(null)} />
    </div>
  )
}

interface CardProps {
  incident: IncidentView
  isPrinted: boolean
  onEdit: () => void
  onPrint: () => void
}

function IncidentCard({ incident, isPrinted, onEdit, onPrint }: CardProps) {
  const { content, deadline, actor_name, updated_at } = incident
  const state = STATE[incidentState(content, new Date())]
  const at = (moment: string | null) => (moment ? dateTime(moment) : 'Ainda não')
  const people = (count: number | null) => (count === null ? '—' : integer(count))
  const protocol = content.authority_protocol && `, protocolo ${content.authority_protocol}`
  const facts: [string, string][] = [
    ['Conhecido em', dateTime(content.known_at)],
    ['Ocorrido em', content.occurred],
    [
      'Prazo de comunicação',
      `${deadline.split('-').reverse().join('/')} (${content.is_small_agent ? 6 : 3} dias úteis)`,
    ],
    ['Avaliação', NOTICE[content.notice]],
    ['Comunicado à ANPD', `${at(content.authority_at)}${protocol}`],
    ['Comunicado aos titulares', at(content.subjects_at)],
    ['Titulares afetados', people(content.subjects_affected)],
    ['Titulares nas atividades afetadas', people(content.subjects_total)],
    ...INCIDENT_TEXTS.map((name): [string, string] => [INCIDENT_LABEL[name], content[name]]),
    ['Encarregado', content.officer],
    ['Controlador', content.controller],
    ['Operador', content.operator],
  ]
  return (
    <section className={`compliance-card panel${isPrinted ? '' : ' no-print'}`} aria-label={content.title}>
      <div className="compliance-head">
        <h2>{content.title}</h2>
        <Badge colour={state.colour}>{state.label}</Badge>
        <span className="compliance-gap" />
        <div className="compliance-actions">
          <Button size="small" text="Editar" aria-label={`Editar ${content.title}`} onClick={onEdit} />
          <Button size="small" text="Imprimir" aria-label={`Imprimir ${content.title}`} onClick={onPrint} />
        </div>
      </div>
      <dl className="compliance-facts has-long-labels">
        {facts.map(([label, text]) => (
          <IncidentFact key={label} label={label} text={text} />
        ))}
      </dl>
      <p className="muted">
        Alterado em {dateTime(updated_at)}, por {actor_name}
      </p>
    </section>
  )
}

const IncidentFact = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt>{label}</dt>
    <dd className={text ? 'compliance-text' : 'muted'}>{text || '—'}</dd>
  </>
)
