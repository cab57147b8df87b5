import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatPlate } from '@garantia/shared/br/vehicle'
import { integer } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { QRCodeSVG } from 'qrcode.react'
import { type ReactNode, useId } from 'react'

/** What every sheet takes. */
export interface SheetProps {
  order: OrderView
}

interface CodeProps extends SheetProps {
  /** Instead of the address of the order: of something of it. */
  address?: string
}
/** Leads to the order; who scans it signs in as usual. */
export const OrderCode = ({ order, address }: CodeProps) => (
  <QRCodeSVG
    className="sheet-code"
    value={address ?? `${window.location.origin}/os/${order.id}`}
    marginSize={0}
    level="M"
    title={`Código QR da OS ${order.os_number}`}
    role="img"
  />
)

export function SheetPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="sheet-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

/** A value with its label; «—» for an empty one. */
export const SheetFact = ({ label, children, isWide }: FactProps) => (
  <div className={isWide ? 'sheet-fact is-wide' : 'sheet-fact'}>
    <dt>{label}</dt>
    <dd>{children || '—'}</dd>
  </div>
)
interface FactProps {
  label: string
  children: ReactNode
  isWide?: boolean
}

/** A masked value stays as the server gave it. */
const whole = (text: string | null, format: (bare: string) => string) =>
  text && (text.includes('•') ? text : format(text))

export const VehicleFacts = ({ order }: SheetProps) => (
  <dl className="sheet-facts">
    <SheetFact label="Modelo">
      {[order.vehicle_model, order.vehicle_year].filter(Boolean).join(' · ')}
    </SheetFact>
    <SheetFact label="Cor">{order.vehicle_color}</SheetFact>
    <SheetFact label="Placa">{order.vehicle_plate && formatPlate(order.vehicle_plate)}</SheetFact>
    <SheetFact label="Chassi">{order.vehicle_chassis}</SheetFact>
    <SheetFact label="Quilometragem">
      {order.vehicle_mileage !== null && `${integer(order.vehicle_mileage)} km`}
    </SheetFact>
  </dl>
)

export const CustomerFacts = ({ order }: SheetProps) => (
  <dl className="sheet-facts">
    <SheetFact label="Nome" isWide>
      {order.customer_name}
    </SheetFact>
    <SheetFact label="CPF/CNPJ">{whole(order.customer_document, formatTaxId)}</SheetFact>
    <SheetFact label="Telefone">{whole(order.customer_phone, formatPhone)}</SheetFact>
    <SheetFact label="Email" isWide>
      {order.customer_email}
    </SheetFact>
  </dl>
)
