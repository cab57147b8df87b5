import { Button } from '@blueprintjs/core'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { awaitedText } from '@garantia/shared/claims/deadlines'
import { counted, date, integer } from '@garantia/shared/format'
import { ORDER_SHEET, replacedParts } from '@garantia/shared/orders/sheet'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { OrderCode, type SheetProps } from './sheet-parts.tsx'

const PAPERS = [
  { id: 'a4', label: 'Folha A4' },
  { id: 'rolo', label: 'Etiquetas de 100 × 50 mm' },
] as const

const route = getRouteApi('/app/os/$id/imprimir')

interface Label {
  key: string | number
  text: string
  /** What its code says instead of the order's address. */
  address?: string
  facts: readonly string[]
}

/**
 * A label for each replaced part: ten to an A4 sheet, or each on a page of a label printer. Those of a claim lead to the
 * part and say where it is kept and until when; the others are the lines of the order's text.
 */
export function LabelSheet({ order }: SheetProps) {
  const { sg, peca } = route.useSearch({ select: (search) => ({ sg: search.sg, peca: search.peca }) })
  return sg === undefined ? (
    <Labels
      order={order}
      source={
        order.parts_replaced
          ? 'uma por linha de «Peças substituídas»'
          : '«Peças substituídas» está vazio: a etiqueta sai em branco para preencher à mão'
      }
      labels={replacedParts(order.parts_replaced).map((text, index) => ({ key: index, text, facts: [] }))}
    />
  ) : (
    <ClaimLabels order={order} claim_id={sg} part_id={peca} />
  )
}

function ClaimLabels({
  order,
  claim_id,
  part_id,
}: SheetProps & { claim_id: number; part_id?: number | undefined }) {
  const { data, error, refetch } = trpc.parts.ofClaim.useQuery({ claim_id })
  if (error)
    return (
      <div className="panel">
        <ErrorState title="Erro ao carregar as peças" error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Skeleton width={60} />
  const parts = data.data.filter(({ id }) => part_id === undefined || id === part_id)
  return (
    <Labels
      order={order}
      source="da solicitação de garantia"
      labels={parts.map((part) => ({
        key: part.id,
        text: `${part.part_number} ${part.description}`,
        address: part.label,
        facts: [
          `${integer(part.quantity)} un`,
          ...(part.place ? [`Lugar ${part.place}`] : []),
          ...(part.due_on ? [`Guardar até ${part.due_on.split('-').reverse().join('/')}`] : []),
          ...(part.due_awaits ? [`Guarda: ${awaitedText(part.due_awaits)}`] : []),
        ],
      }))}
    />
  )
}

function Labels({ order, labels, source }: SheetProps & { labels: readonly Label[]; source: string }) {
  const [paper, setPaper] = useState<(typeof PAPERS)[number]['id']>('a4')
  return (
    <>
      <div className="label-tools">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border and need a legend */}
        <div className="sheet-choices" role="group" aria-label="Papel">
          {PAPERS.map(({ id, label }) => (
            <Button
              key={id}
              size="small"
              variant="minimal"
              text={label}
              active={paper === id}
              aria-pressed={paper === id}
              onClick={() => setPaper(id)}
            />
          ))}
        </div>
        <span className="muted">
          {order.parts_replaced || labels[0]?.address
            ? `${counted(labels.length, 'etiqueta', 'etiquetas')}, ${source}`
            : source}
        </span>
      </div>
      <article className={`labels bp6-light is-${paper}`} aria-label={ORDER_SHEET.etiqueta.title}>
        {labels.map(({ key, text, address, facts }, index) => (
          <section key={key} className="label" aria-label={`Etiqueta ${index + 1}`}>
            <div className="label-text">
              <p className="label-over">Peça substituída em garantia · {order.brand.display_name}</p>
              <p className="label-number">OS {order.os_number}</p>
              <p className="label-part">{text}</p>
              {facts.length > 0 && <p>{facts.join(' · ')}</p>}
              <p>Chassi {order.vehicle_chassis ?? '—'}</p>
              <p>
                Placa {order.vehicle_plate ? formatPlate(order.vehicle_plate) : '—'} · Data{' '}
                {date(order.completed_at ?? new Date())}
              </p>
            </div>
            <OrderCode order={order} {...(address && { address })} />
          </section>
        ))}
      </article>
    </>
  )
}
