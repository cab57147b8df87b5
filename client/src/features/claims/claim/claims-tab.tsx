import { Button } from '@blueprintjs/core'
import { DocumentShareIcon, PlusIcon } from '@blueprintjs/icons'
import type { ClaimView } from '@garantia/shared/claims/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LegalClockCard } from '../visits/legal-clock-card.tsx'
import { ClaimPanel } from './claim-panel.tsx'
import { type ClaimSubject, offeredSteps } from './claim-subject.ts'
import './claims.css'

const route = getRouteApi('/app/os/$id')
const ClaimDialog = lazy(async () => ({ default: (await import('./claim-dialog.tsx')).ClaimDialog }))

/** The claims of an order, newest first, each with its lines, its money and its next step. */
export function ClaimsTab({ order }: { order: OrderView }) {
  const { data, error, refetch } = trpc.claims.ofOrder.useQuery({ order_id: order.id })
  const [subject, setSubject] = useState<ClaimSubject | null>(null)
  // It stays, so that the focus returns as it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= subject !== null
  return (
    <>
      {data ? (
        <Claims order={order} claims={data.data} onStep={setSubject} />
      ) : error ? (
        <div className="panel">
          <ErrorState
            title="Erro ao carregar solicitações de garantia"
            error={error}
            onRetry={() => void refetch()}
          />
        </div>
      ) : (
        <Delayed>
          <ClaimSkeleton />
        </Delayed>
      )}
      {/* Below what is not there yet, it would be pushed away. */}
      {(data || error) && (
        <div className="claims-clock">
          <LegalClockCard order={order} />
        </div>
      )}
      {wasOpen.current && (
        <Suspense>
          <ClaimDialog order={order} subject={subject} onClose={() => setSubject(null)} />
        </Suspense>
      )}
    </>
  )
}

interface Props {
  order: OrderView
  claims: readonly ClaimView[]
  onStep: (subject: ClaimSubject) => void
}

function Claims({ order, claims, onStep }: Props) {
  const mayOpen = can(useActor(), 'claim.open', order)
  const hint = useKeyHint()
  /** A part whose label was scanned may be of any of them. */
  const isScanned = route.useSearch({ select: (search) => search.peca !== undefined })
  const open = () => onStep({ kind: 'open', type: 'normal', previous: null })
  const isMissing = !claims.some(({ type, state }) => type === 'normal' && state !== 'withdrawn')
  useShortcut('a', open, { isEnabled: mayOpen && isMissing, label: 'Abrir solicitação de garantia' })
  const newestFirst = claims.toReversed()
  /** Only one of them has the filled button: the newest that waits for somebody. */
  const primary = newestFirst.find((claim) => offeredSteps(claim, claims).next !== null)
  const opener = (
    <Button
      intent={primary ? 'none' : 'primary'}
      icon={<PlusIcon />}
      text="Abrir solicitação"
      {...hint('Abrir solicitação de garantia', 'a')}
      onClick={open}
    />
  )
  if (claims.length === 0)
    return (
      <EmptyState
        icon={<DocumentShareIcon size={18} />}
        title="Nenhuma solicitação de garantia"
        action={mayOpen && opener}
      >
        {mayOpen
          ? 'Os itens vêm preenchidos com as peças e os valores desta OS.'
          : 'Quem gerencia a concessionária abre a solicitação à marca.'}
      </EmptyState>
    )
  return (
    <div className="claims">
      {mayOpen && isMissing && <div className="claims-open">{opener}</div>}
      {newestFirst.map((claim) => (
        <ClaimPanel
          key={claim.id}
          claim={claim}
          all={claims}
          isPrimary={claim === primary}
          isUnfolded={isScanned || claim === (primary ?? newestFirst[0])}
          onStep={onStep}
        />
      ))}
    </div>
  )
}

const ClaimSkeleton = () => (
  <section
    className="panel claim claim-skeleton"
    role="status"
    aria-label="Carregando solicitações de garantia"
  >
    <Skeleton width={30} />
    <Skeleton width={55} />
    <Skeleton width={90} />
    <Skeleton width={84} />
  </section>
)
