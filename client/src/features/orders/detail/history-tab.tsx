import { Button, HTMLSelect } from '@blueprintjs/core'
import { EyeOpenIcon, HistoryIcon } from '@blueprintjs/icons'
import type { OrderView } from '@garantia/shared/orders/schema'
import { can } from '@garantia/shared/policy'
import { lazy, Suspense, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { EVENT_GROUPS, type EventGroup, groupOf } from '../order/order-labels.ts'
import { TimelineEvent } from './timeline-event.tsx'
import './history.css'

const OrderAccesses = lazy(async () => ({
  default: (await import('../../records/privacy/order-accesses.tsx')).OrderAccesses,
}))

const PAGE = 30

/** OSD-8, D-30: the event history of the order, newest first. */
export function HistoryTab({ order }: { order: OrderView }) {
  const [group, setGroup] = useState<EventGroup>('all')
  const [areAccessesShown, setAreAccessesShown] = useState(false)
  const mayReadAccesses = can(useActor(), 'order.accesses', order)
  return (
    <>
      <section className="panel history" aria-label="Histórico">
        <div className="history-head">
          <p className="muted">Histórico em desenvolvimento: novos tipos de evento serão incluídos.</p>
          <HTMLSelect
            aria-label="Mostrar"
            value={group}
            onChange={(event) => setGroup(event.currentTarget.value as EventGroup)}
          >
            {Object.entries(EVENT_GROUPS).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </HTMLSelect>
        </div>
        <Page id={order.id} group={group} onShowAll={() => setGroup('all')} />
      </section>
      {mayReadAccesses && (
        <Button
          variant="minimal"
          icon={<EyeOpenIcon />}
          text="Quem acessou"
          aria-expanded={areAccessesShown}
          onClick={() => setAreAccessesShown(!areAccessesShown)}
        />
      )}
      {areAccessesShown && (
        <Suspense>
          <OrderAccesses order={order} />
        </Suspense>
      )}
    </>
  )
}

interface PageProps {
  id: number
  group: EventGroup
  onShowAll: () => void
  /** Absent for the first page. */
  before?: number
}

/** Ref for the first event of a new page: the button that loaded it is gone, and the focus with it. */
const takeLostFocus = (element: HTMLElement | null) => {
  if (document.activeElement === document.body) element?.focus()
}

/** One page of events; renders the next, older page below itself on request. */
function Page({ id, group, onShowAll, before }: PageProps) {
  const [isMoreWanted, setIsMoreWanted] = useState(false)
  const { data, error, refetch } = trpc.orders.history.useQuery({ id, before, limit: PAGE })
  if (error && !data)
    return <ErrorState title="Erro ao carregar histórico" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div role="status" aria-label="Carregando histórico">
        <LoadingPanel />
      </div>
    )
  const shown = data.events.filter(({ kind }) => group === 'all' || groupOf(kind) === group)
  const last = data.events.at(-1)
  return (
    <>
      {shown.length > 0 && (
        <ol className="timeline">
          {shown.map((event, i) => (
            <TimelineEvent
              key={event.id}
              event={event}
              ref={i === 0 && before !== undefined ? takeLostFocus : null}
            />
          ))}
        </ol>
      )}
      {shown.length === 0 && before === undefined && !data.has_more && (
        <EmptyState
          icon={<HistoryIcon size={20} />}
          title="Nenhum evento deste tipo"
          action={group !== 'all' && <Button text="Mostrar tudo" onClick={onShowAll} />}
        >
          {group === 'all'
            ? 'O que se faz nesta OS aparece aqui, com a hora e o nome de quem fez.'
            : `Nada em «${EVENT_GROUPS[group]}» aconteceu nesta OS até agora.`}
        </EmptyState>
      )}
      {data.has_more && last && !isMoreWanted && (
        <p className="history-more">
          {shown.length === 0 && (
            <span className="muted">Nenhum destes eventos está em «{EVENT_GROUPS[group]}».</span>
          )}
          <Button
            text="Carregar mais"
            ref={shown.length === 0 && before !== undefined ? takeLostFocus : null}
            onClick={() => setIsMoreWanted(true)}
          />
        </p>
      )}
      {data.has_more && last && isMoreWanted && (
        <Page id={id} group={group} onShowAll={onShowAll} before={last.id} />
      )}
    </>
  )
}
