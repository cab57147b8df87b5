import { isMasked } from '@garantia/shared/br/mask'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import { brl, date, integer } from '@garantia/shared/format'
import type { CUSTOMER_FIELDS } from '@garantia/shared/orders/masking'
import type { OrderView } from '@garantia/shared/orders/schema'
import { type ReactNode, useId } from 'react'
import { breakable } from '../../../ui/page/breakable.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { CommentsPanel } from '../comments/comments-panel.tsx'
import { MaskedValue } from '../order/masked-value.tsx'
import { CustomerPhone } from './customer-phone.tsx'
import { RelatedOrders } from './related-orders.tsx'

/** OSD-9 to OSD-12: everything that the form asks, «—» for empty values; beside it other orders of the vehicle. */
export const GeneralTab = ({ order }: { order: OrderView }) => (
  <div className="order-general">
    <div className="order-facts">
      <Facts title="Veículo">
        <Fact label="Modelo" value={order.vehicle_model} />
        <Fact label="Ano" value={order.vehicle_year} />
        <Fact label="Cor" value={order.vehicle_color} />
        <Fact label="Placa" value={order.vehicle_plate && formatPlate(order.vehicle_plate)} copied="placa" />
        <Fact
          label="Quilometragem"
          value={order.vehicle_mileage !== null && `${integer(order.vehicle_mileage)} km`}
        />
        <Fact
          label="Chassi"
          value={
            order.vehicle_chassis && (
              <MaskedValue
                order_id={order.id}
                field="vehicle_chassis"
                shown={maskChassis(order.vehicle_chassis)}
              >
                {(whole) => <span className="chassis">{whole}</span>}
              </MaskedValue>
            )
          }
        />
      </Facts>
      <Facts title="Cliente" isSingle>
        <Fact label="Nome" value={order.customer_name} copied="nome" />
        <CustomerFact label="Email" order={order} field="customer_email" copied="email">
          {(email) => <a href={`mailto:${email}`}>{breakable(email)}</a>}
        </CustomerFact>
        <CustomerFact label="Telefone" order={order} field="customer_phone" copied="telefone">
          {(phone) => <CustomerPhone order={order} phone={phone} />}
        </CustomerFact>
        <CustomerFact label="CPF/CNPJ" order={order} field="customer_document" copied="CPF ou CNPJ">
          {formatTaxId}
        </CustomerFact>
      </Facts>
      <Facts title="Problema" isSingle>
        <Fact label="Descrição" value={order.problem_description} />
        <Fact label="Diagnóstico" value={order.diagnosis} />
        <Fact label="Solução aplicada" value={order.solution_applied} />
        <Fact label="Peças substituídas" value={order.parts_replaced} />
      </Facts>
      <Facts title="Valores & Datas">
        <Fact label="Valor do serviço" value={<Money sum={order.service_value} />} />
        <Fact label="Valor das peças" value={<Money sum={order.parts_value} />} />
        <Fact label="Valor total" value={<Money sum={order.total_value} />} />
        <Fact label="Valor do veículo" value={<Money sum={order.vehicle_value} />} />
        <Fact label="Abertura" value={date(order.opened_at)} />
        <Fact label="Conclusão" value={order.completed_at && date(order.completed_at)} />
        <Fact label="Técnico" value={order.technician_name} />
        <Fact label="Responsável" value={order.responsible_name} />
      </Facts>
    </div>
    <div className="order-aside">
      <RelatedOrders order={order} />
      <CommentsPanel order={order} />
    </div>
  </div>
)

function Facts({ title, isSingle, children }: { title: string; isSingle?: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <section className="order-card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl className={isSingle ? 'facts facts-single' : 'facts'}>{children}</dl>
    </section>
  )
}

interface CustomerFactProps {
  label: string
  order: OrderView
  field: (typeof CUSTOMER_FIELDS)[number]
  copied: string
  /** Shows the whole value. */
  children: (whole: string) => ReactNode
}

/** Whole, or masked with a button that reveals it, as the server gave it. */
function CustomerFact({ label, order, field, copied, children }: CustomerFactProps) {
  const text = order[field]
  if (!text || !isMasked(text)) {
    const shown = text && children(text)
    return (
      <Fact label={label} value={shown} copied={copied} text={typeof shown === 'string' ? shown : text} />
    )
  }
  const revealing = (
    <MaskedValue order_id={order.id} field={field} shown={text}>
      {children}
    </MaskedValue>
  )
  return <Fact label={label} value={revealing} />
}

interface FactProps {
  label: string
  value: ReactNode
  /** With a button that copies it: its name, as in «Copiar placa». */
  copied?: string
  /** What is copied, where the value is not a text. */
  text?: string | null
}

function Fact({ label, value, copied, text = typeof value === 'string' ? value : null }: FactProps) {
  const isBlank = value === null || value === false || value === ''
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd className={isBlank ? 'is-blank' : undefined}>
        {isBlank ? '—' : value}
        {!isBlank && copied && text && <CopyButton what={copied} text={text} />}
      </dd>
    </div>
  )
}

/** Never wraps between currency sign and amount. */
const Money = ({ sum }: { sum: number | null }) =>
  sum === null ? '—' : <span className="money">{brl(sum)}</span>
