import { Button } from '@blueprintjs/core'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { counted, date } from '@garantia/shared/format'
import { ORDER_SHEET, replacedParts } from '@garantia/shared/orders/sheet'
import { useState } from 'react'
import { OrderCode, type SheetProps } from './sheet-parts.tsx'

const PAPERS = [
  { id: 'a4', label: 'Folha A4' },
  { id: 'rolo', label: 'Etiquetas de 100 × 50 mm' },
] as const

/** A label for each replaced part: ten to an A4 sheet, or each on a page of a label printer. */
export function LabelSheet({ order }: SheetProps) {
  const [paper, setPaper] = useState<(typeof PAPERS)[number]['id']>('a4')
  const parts = replacedParts(order.parts_replaced)
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
          {order.parts_replaced
            ? `${counted(parts.length, 'etiqueta', 'etiquetas')}, uma por linha de «Peças substituídas»`
            : '«Peças substituídas» está vazio: a etiqueta sai em branco para preencher à mão'}
        </span>
      </div>
      <article className={`labels bp6-light is-${paper}`} aria-label={ORDER_SHEET.etiqueta.title}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have the same text
          <section key={index} className="label" aria-label={`Etiqueta ${index + 1}`}>
            <div className="label-text">
              <p className="label-over">Peça substituída em garantia · {order.brand.display_name}</p>
              <p className="label-number">OS {order.os_number}</p>
              <p className="label-part">{part}</p>
              <p>Chassi {order.vehicle_chassis ?? '—'}</p>
              <p>
                Placa {order.vehicle_plate ? formatPlate(order.vehicle_plate) : '—'} · Data{' '}
                {date(order.completed_at ?? new Date())}
              </p>
            </div>
            <OrderCode order={order} />
          </section>
        ))}
      </article>
    </>
  )
}
