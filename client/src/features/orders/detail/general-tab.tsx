import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import { brl, date, integer } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { type ReactNode, useId } from 'react'

/** OSD-9 to OSD-12: the order's data, «—» for empty values. */
export const GeneralTab = ({ order }: { order: OrderView }) => (
  <div className="order-facts">
    <Facts title="Veículo">
      <Fact label="Modelo" value={order.vehicle_model} />
      <Fact label="Ano" value={order.vehicle_year} />
      <Fact label="Cor" value={order.vehicle_color} />
      <Fact label="Placa" value={order.vehicle_plate && formatPlate(order.vehicle_plate)} />
      <Fact
        label="Quilometragem"
        value={order.vehicle_mileage !== null && `${integer(order.vehicle_mileage)} km`}
      />
      <Fact label="Chassi" value={order.vehicle_chassis && <Chassis number={order.vehicle_chassis} />} />
    </Facts>
    <Facts title="Cliente" isSingle>
      <Fact label="Nome" value={order.customer_name} />
      <Fact label="Email" value={order.customer_email} />
      <Fact label="Telefone" value={order.customer_phone && formatPhone(order.customer_phone)} />
      <Fact label="CPF/CNPJ" value={order.customer_document && formatTaxId(order.customer_document)} />
    </Facts>
    <Facts title="Problema" isSingle>
      <Fact label="Descrição" value={order.problem_description} />
      <Fact label="Diagnóstico" value={order.diagnosis} />
      <Fact label="Solução aplicada" value={order.solution_applied} />
    </Facts>
    <Facts title="Valores & Datas">
      <Fact
        label="Valor do veículo"
        value={order.vehicle_value !== null && <Money sum={order.vehicle_value} />}
      />
      <Fact label="Valor total" value={<Money sum={order.total_value} />} />
      <Fact label="Abertura" value={date(order.opened_at)} />
      <Fact label="Conclusão" value={order.completed_at && date(order.completed_at)} />
      <Fact label="Técnico" value={order.technician_name} />
    </Facts>
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

function Fact({ label, value }: { label: string; value: ReactNode }) {
  const isBlank = value === null || value === false || value === ''
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd className={isBlank ? 'is-blank' : undefined}>{isBlank ? '—' : value}</dd>
    </div>
  )
}

/** Never wraps between currency sign and amount. */
const Money = ({ sum }: { sum: number }) => <span className="money">{brl(sum)}</span>

/** Screen readers get the last six characters instead of eleven dots. */
const Chassis = ({ number }: { number: string }) => (
  <>
    <span className="chassis" aria-hidden="true">
      {maskChassis(number)}
    </span>
    <span className="visually-hidden">final {number.slice(-6)}</span>
  </>
)
