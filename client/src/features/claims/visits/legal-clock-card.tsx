import { Button } from '@blueprintjs/core'
import { type LegalClockView, VISIT_FACT } from '@garantia/shared/claims/visits'
import { counted, date, dayText } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { LEGAL_DAYS } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useShortcuts } from '../../../ui/keys/shortcut.ts'
import { usePress } from '../../../ui/press.ts'
import { useVisitChange } from './use-visit-change.ts'
import type { VisitSubject } from './visit-subject.ts'
import './visits.css'

const VisitDialog = lazy(async () => ({ default: (await import('./visit-dialog.tsx')).VisitDialog }))

/** How an order's defect stands to the legal limit, over all visits of its vehicle for it. */
export function LegalClockCard({ order }: { order: OrderView }) {
  const id = useId()
  const { data: clock, error, refetch } = trpc.deadlines.legalClock.useQuery({ order_id: order.id })
  return (
    <section className="panel legal-clock" aria-labelledby={id}>
      <div className="legal-clock-head">
        <h2 id={id}>Prazo legal</h2>
        {clock && <Days clock={clock} />}
      </div>
      {clock ? (
        <Clock order={order} clock={clock} />
      ) : error ? (
        <ErrorState title="Erro ao carregar o prazo legal" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton width={60} />
      )}
    </section>
  )
}

function Days({ clock }: { clock: LegalClockView }) {
  const { days, due_on, state, is_running, visits } = clock
  const end =
    due_on === null
      ? 'Nenhuma visita em andamento'
      : state === 'overdue'
        ? `Vencido em ${dayText(due_on)}`
        : is_running && `Vence em ${dayText(due_on)}`
  return (
    <>
      <Badge colour={state === 'overdue' ? 'red' : state === 'near' ? 'orange' : 'gray'}>
        {days} de {LEGAL_DAYS} dias
      </Badge>
      <span className="muted numeric">
        {[visits.length > 1 && `${counted(visits.length, 'visita', 'visitas')} pelo mesmo defeito`, end]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  )
}

interface Props {
  order: OrderView
  clock: LegalClockView
}

function Clock({ order, clock }: Props) {
  const mayChange = can(useActor(), 'visit.change', order)
  const [subject, setSubject] = useState<VisitSubject | null>(null)
  // It stays, so that the focus returns as it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= subject !== null
  const actions = [
    { text: 'Ligar a outra visita', act: () => setSubject({ kind: 'link' }) },
    { text: 'Corrigir datas da visita', act: () => setSubject({ kind: 'dates' }) },
    { text: 'Registrar espera ou carro reserva', act: () => setSubject({ kind: 'fact', fact: null }) },
  ]
  useShortcuts(actions.map(({ text, act }) => ({ keys: [], label: text, act, isEnabled: mayChange })))
  return (
    <>
      <ul className="visits" aria-label="Visitas pelo mesmo defeito">
        {clock.visits.map((visit) => (
          <VisitLine key={visit.order_id} visit={visit} isOwn={visit.order_id === order.id}>
            {mayChange && clock.visits.length > 1 && <Unlink order_id={order.id} visit={visit} />}
          </VisitLine>
        ))}
      </ul>
      {clock.proposed.length > 0 && (
        <>
          <h3>Pode ser o mesmo defeito</h3>
          <ul className="visits" aria-label="Visitas propostas">
            {clock.proposed.map((visit) => (
              <VisitLine key={visit.order_id} visit={visit} isOwn={false}>
                {mayChange && <Proposal order_id={order.id} visit={visit} />}
              </VisitLine>
            ))}
          </ul>
        </>
      )}
      {clock.facts.length > 0 && (
        <>
          <h3>Espera de peça e carro reserva</h3>
          <Facts clock={clock} onEnd={mayChange ? (fact) => setSubject({ kind: 'fact', fact }) : undefined} />
        </>
      )}
      {mayChange && (
        <div className="legal-clock-actions">
          {actions.map(({ text, act }) => (
            <Button key={text} size="small" text={text} onClick={act} />
          ))}
        </div>
      )}
      {wasOpen.current && (
        <Suspense>
          <VisitDialog order={order} clock={clock} subject={subject} onClose={() => setSubject(null)} />
        </Suspense>
      )}
    </>
  )
}

type Visit = LegalClockView['visits'][number]
type Fact = LegalClockView['facts'][number]

function VisitLine({ visit, isOwn, children }: { visit: Visit; isOwn: boolean; children: React.ReactNode }) {
  return (
    <li>
      <span className="visit-order numeric">
        {isOwn ? (
          <strong>Esta OS</strong>
        ) : (
          <Link to="/os/$id" params={{ id: visit.order_id }} search={{ tab: 'garantia' }}>
            OS {visit.os_number}
          </Link>
        )}
      </span>
      <span className="visit-days numeric">
        {date(visit.from)} {visit.until ? `a ${date(visit.until)}` : 'até hoje'} ·{' '}
        {counted(visit.days, 'dia', 'dias')}
      </span>
      <span className="visit-problem muted">{visit.problem_description}</span>
      <span className="visit-actions">{children}</span>
    </li>
  )
}

function Unlink({ order_id, visit }: { order_id: number; visit: Visit }) {
  const unlink = trpc.deadlines.unlink.useMutation(useVisitChange(order_id, 'Visita separada'))
  const { press, isBusy } = usePress(() => unlink.mutateAsync({ order_id: visit.order_id }))
  return (
    <Button
      size="small"
      variant="minimal"
      text="Separar"
      aria-label={`Separar a OS ${visit.os_number}`}
      loading={isBusy}
      onClick={press}
    />
  )
}

/** One press says whether a proposed visit is for the same defect. */
function Proposal({ order_id, visit }: { order_id: number; visit: Visit }) {
  const pair = { order_id, with_order_id: visit.order_id }
  const link = trpc.deadlines.link.useMutation(useVisitChange(order_id, 'Visitas ligadas'))
  const refuse = trpc.deadlines.refuse.useMutation(useVisitChange(order_id, 'Proposta recusada'))
  const linking = usePress(() => link.mutateAsync(pair))
  const refusing = usePress(() => refuse.mutateAsync(pair))
  return (
    <>
      <Button
        size="small"
        text="Mesmo defeito"
        aria-label={`Mesmo defeito: OS ${visit.os_number}`}
        loading={linking.isBusy}
        disabled={refusing.isBusy}
        onClick={linking.press}
      />
      <Button
        size="small"
        variant="minimal"
        text="Outro defeito"
        aria-label={`Outro defeito: OS ${visit.os_number}`}
        loading={refusing.isBusy}
        disabled={linking.isBusy}
        onClick={refusing.press}
      />
    </>
  )
}

function Facts({ clock, onEnd }: { clock: LegalClockView; onEnd: ((fact: Fact) => void) | undefined }) {
  const numbers = new Map(clock.visits.map(({ order_id, os_number }) => [order_id, os_number]))
  return (
    <ul className="visits" aria-label="Espera de peça e carro reserva">
      {clock.facts.map((fact) => (
        <li key={fact.id}>
          <span className="visit-order">{VISIT_FACT[fact.kind]}</span>
          <span className="visit-days numeric">
            {dayText(fact.from_on)} {fact.until_on ? `a ${dayText(fact.until_on)}` : 'até hoje'}
          </span>
          <span className="visit-problem muted">
            {[clock.visits.length > 1 && `OS ${numbers.get(fact.order_id)}`, fact.note, fact.actor_name]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <span className="visit-actions">
            {onEnd && fact.until_on === null && (
              <Button
                size="small"
                variant="minimal"
                text="Registrar fim"
                aria-label={`Registrar fim: ${VISIT_FACT[fact.kind]} de ${dayText(fact.from_on)}`}
                onClick={() => onEnd(fact)}
              />
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
