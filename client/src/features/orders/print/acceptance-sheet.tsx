import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { formatZipCode } from '@garantia/shared/br/zip-code'
import { brl, date } from '@garantia/shared/format'
import { ORDER_SHEET } from '@garantia/shared/orders/sheet'
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

const money = (value: number | null) => value !== null && brl(value)

export const AcceptanceSheet = ({ order }: SheetProps) => (
  <article className="sheet bp6-light" aria-label={ORDER_SHEET.termo.title}>
    <header className="sheet-head">
      <div>
        <p className="sheet-over">{order.brand.display_name}</p>
        <h2 className="sheet-title">{ORDER_SHEET.termo.title}</h2>
        <p>
          OS {order.os_number} · aberta em {date(order.opened_at)}
          {order.completed_at && ` · concluída em ${date(order.completed_at)}`}
        </p>
      </div>
      <div className="sheet-marks">
        <DealerLogo order={order} />
        <OrderCode order={order} />
      </div>
    </header>
    <SheetPart title="Concessionária">
      <Dealer order={order} />
    </SheetPart>
    <SheetPart title="Cliente">
      <CustomerFacts order={order} />
    </SheetPart>
    <SheetPart title="Veículo">
      <VehicleFacts order={order} />
    </SheetPart>
    <SheetPart title="Reclamação">
      <p className="sheet-text">{order.problem_description || '—'}</p>
    </SheetPart>
    <SheetPart title="Serviço e peças">
      <dl className="sheet-facts">
        <SheetFact label="Serviço executado" isWide>
          {order.solution_applied}
        </SheetFact>
        <SheetFact label="Peças substituídas" isWide>
          {order.parts_replaced}
        </SheetFact>
        <SheetFact label="Valor do serviço">{money(order.service_value)}</SheetFact>
        <SheetFact label="Valor das peças">{money(order.parts_value)}</SheetFact>
        <SheetFact label="Valor total">{brl(order.total_value)}</SheetFact>
      </dl>
    </SheetPart>
    <section className="sheet-end" aria-label="Declaração e assinaturas">
      <p>
        Declaro que recebi o veículo identificado acima, com o serviço e as peças descritos neste termo, e que
        o conferi no ato da entrega.
      </p>
      <p className="sheet-place">Local e data: ______________________________, ____ / ____ / ________</p>
      <div className="sheet-signatures">
        <p>
          {order.customer_name || 'Cliente'}
          <span>Cliente</span>
        </p>
        <p>
          {order.company.trading_name}
          <span>Concessionária</span>
        </p>
      </div>
    </section>
  </article>
)

/** What the company has today. */
function Dealer({ order }: SheetProps) {
  const { data: company, error } = trpc.companies.one.useQuery({ id: order.company_id })
  if (error) return <p role="alert">Os dados da empresa não foram carregados: {messageOf(error)}</p>
  if (!company) return <p role="status">Carregando a empresa…</p>
  const place = [company.city, company.state].filter(Boolean).join('/')
  const address = [company.address, place, company.zip_code && `CEP ${formatZipCode(company.zip_code)}`]
  return (
    <dl className="sheet-facts">
      <SheetFact label="Nome" isWide>
        {company.legal_name === company.trading_name
          ? company.trading_name
          : `${company.trading_name} (${company.legal_name})`}
      </SheetFact>
      <SheetFact label="CNPJ">{formatTaxId(company.tax_id)}</SheetFact>
      <SheetFact label="Telefone">{company.phone && formatPhone(company.phone)}</SheetFact>
      <SheetFact label="Endereço" isWide>
        {address.filter(Boolean).join(' · ')}
      </SheetFact>
    </dl>
  )
}
