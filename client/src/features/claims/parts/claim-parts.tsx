import { Button } from '@blueprintjs/core'
import { PrintIcon } from '@blueprintjs/icons'
import { awaitedText } from '@garantia/shared/claims/deadlines'
import { PART_STATE, type PartReturnView, type PartState } from '@garantia/shared/claims/parts'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { brl, dayText, integer, isoDay } from '@garantia/shared/format'
import type { BadgeColour } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import './parts.css'

const PartDialog = lazy(async () => ({ default: (await import('./part-dialog.tsx')).PartDialog }))
const route = getRouteApi('/app/os/$id')

const COLOUR: Record<PartState, BadgeColour> = {
  held: 'gray',
  requested: 'orange',
  sent: 'blue',
  received: 'green',
  scrapped: 'gray',
}

/** The replaced parts of a claim that was sent, which the brand may ask for. */
export function ClaimParts({ claim }: { claim: ClaimView }) {
  const id = useId()
  const { data, error, refetch } = trpc.parts.ofClaim.useQuery({ claim_id: claim.id })
  const scanned = route.useSearch({ select: (search) => search.peca })
  const mayChange = can(useActor(), 'part.change', claim)
  const [edited, setEdited] = useState<PartReturnView | null>(null)
  // It stays, so that the focus returns as it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= edited !== null
  if (data?.count === 0) return null
  return (
    <section className="claim-parts" aria-labelledby={id}>
      <div className="claim-parts-head">
        <h3 id={id}>Peças substituídas</h3>
        {data && (
          <LinkButton
            size="small"
            variant="minimal"
            icon={<PrintIcon />}
            text="Imprimir etiquetas"
            to="/os/$id/imprimir"
            params={{ id: claim.order_id }}
            search={{ folha: 'etiqueta', sg: claim.id }}
          />
        )}
      </div>
      {error && (
        <p className="field-error">
          {messageOf(error)}{' '}
          <Button variant="minimal" size="small" text="Tentar novamente" onClick={() => void refetch()} />
        </p>
      )}
      {!data && !error && <Skeleton width={70} />}
      {data && (
        <ul>
          {data.data.map((part) => (
            <Part key={part.id} part={part} isScanned={part.id === scanned}>
              <LinkButton
                size="small"
                variant="minimal"
                icon={<PrintIcon />}
                aria-label={`Imprimir etiqueta da peça ${part.part_number}`}
                title="Imprimir etiqueta"
                to="/os/$id/imprimir"
                params={{ id: claim.order_id }}
                search={{ folha: 'etiqueta', sg: claim.id, peca: part.id }}
              />
              {mayChange && (
                <Button
                  size="small"
                  text="Editar"
                  aria-label={`Editar peça ${part.part_number}`}
                  onClick={() => setEdited(part)}
                />
              )}
            </Part>
          ))}
        </ul>
      )}
      {wasOpen.current && (
        <Suspense>
          <PartDialog claim={claim} part={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </section>
  )
}

interface PartProps {
  part: PartReturnView
  /** Its label's code led here. */
  isScanned: boolean
  children: React.ReactNode
}
function Part({ part, isScanned, children }: PartProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isScanned) row.current?.scrollIntoView({ block: 'center' })
  }, [isScanned])
  const isWaiting = part.state === 'held' || part.state === 'requested'
  const isOverdue = isWaiting && part.due_on !== null && part.due_on < isoDay(new Date())
  return (
    <li ref={row} className={isScanned ? 'is-scanned' : undefined} aria-current={isScanned || undefined}>
      <span className="part-name">
        <span className="numeric">{part.part_number}</span> {part.description}
        <span className="cell-second">{factsOf(part)}</span>
      </span>
      <Badge colour={COLOUR[part.state]}>{PART_STATE[part.state]}</Badge>
      {isWaiting && part.due_on && (
        <span className={`numeric${isOverdue ? ' claim-overdue' : ' muted'}`}>
          {isOverdue ? 'Venceu em' : 'Até'} {dayText(part.due_on)}
        </span>
      )}
      {isWaiting && part.due_awaits && <span className="muted">Guarda: {awaitedText(part.due_awaits)}</span>}
      <span className="part-actions">{children}</span>
    </li>
  )
}

/** «2 un · Prateleira B3 · NF 4711 · devolvida em 20/11/2026». */
function factsOf(part: PartReturnView) {
  return [
    `${integer(part.quantity)} un`,
    part.place && `Lugar ${part.place}`,
    part.attributed_value !== null && `Valor atribuído ${brl(part.attributed_value)}`,
    part.certificate_number && `Certificado ${part.certificate_number}`,
    part.invoice_number && `NF ${part.invoice_number}`,
    part.sent_on && `Devolvida em ${dayText(part.sent_on)}`,
    part.carrier,
    part.received_on && `Recebida em ${dayText(part.received_on)}`,
    part.note,
  ]
    .filter(Boolean)
    .join(' · ')
}
