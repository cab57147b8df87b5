import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { categoryProgress, isFilled } from '@garantia/shared/evidence/category-progress'
import { date, daysBefore, isoDay } from '@garantia/shared/format'
import { LEGAL_DAYS, ORDER_STATUS } from '@garantia/shared/orders/status'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { DealerLogo } from './dealer-logo.tsx'
import {
  CustomerFacts,
  OrderCode,
  SheetFact,
  SheetPart,
  type SheetProps,
  VehicleFacts,
} from './sheet-parts.tsx'

/** The last day of the legal term, dd/mm/aaaa. */
const deadline = (opened_at: string) =>
  daysBefore(isoDay(new Date(opened_at)), -LEGAL_DAYS)
    .split('-')
    .reverse()
    .join('/')

export const CoverSheet = ({ order }: SheetProps) => (
  <article className="sheet bp6-light" aria-label="Capa da ordem de serviço">
    <header className="sheet-head">
      <div>
        <p className="sheet-over">
          {order.brand.display_name} · {order.company.trading_name}
        </p>
        <h2 className="sheet-number">
          <span>Ordem de serviço</span> {order.os_number}
        </h2>
        <p>{ORDER_STATUS[order.status].label}</p>
      </div>
      <div className="sheet-marks">
        <DealerLogo order={order} />
        <OrderCode order={order} />
      </div>
    </header>
    <SheetPart title="Prazos e pessoas">
      <dl className="sheet-facts">
        <SheetFact label="Abertura">{date(order.opened_at)}</SheetFact>
        <SheetFact label="Prazo legal">{deadline(order.opened_at)}</SheetFact>
        <SheetFact label="Conclusão">{order.completed_at && date(order.completed_at)}</SheetFact>
        <SheetFact label="Responsável">{order.responsible_name}</SheetFact>
        <SheetFact label="Técnico">{order.technician_name}</SheetFact>
      </dl>
    </SheetPart>
    <SheetPart title="Veículo">
      <VehicleFacts order={order} />
    </SheetPart>
    <SheetPart title="Cliente">
      <CustomerFacts order={order} />
    </SheetPart>
    <SheetPart title="Problema relatado">
      <p className="sheet-text">{order.problem_description || '—'}</p>
    </SheetPart>
    <SheetPart title={`Evidências exigidas por ${order.brand.display_name}`}>
      <Required order={order} />
    </SheetPart>
  </article>
)

function Required({ order }: SheetProps) {
  const rules = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const evidence = trpc.evidence.list.useQuery({ order_id: order.id })
  const error = rules.error ?? evidence.error
  if (error) return <p role="alert">As exigências não foram carregadas: {messageOf(error)}</p>
  if (!rules.data || !evidence.data) return <p role="status">Carregando as exigências…</p>
  const slots = categoryProgress(rules.data.required_categories, evidence.data.evidence_files)
  if (slots.length === 0) return <p>A marca não exige nenhuma categoria.</p>
  return (
    <ul className="sheet-checks">
      {slots.map((slot) => (
        <li key={slot.category}>
          <span className="sheet-check" aria-hidden="true">
            {isFilled(slot) && '✓'}
          </span>
          <span>{EVIDENCE_CATEGORY[slot.category]}</span>
          <span className="sheet-count">
            {slot.have} de {slot.min}
          </span>
        </li>
      ))}
    </ul>
  )
}
