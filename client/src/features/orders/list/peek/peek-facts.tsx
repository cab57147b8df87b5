import { Button } from '@blueprintjs/core'
import { WarningSignIcon } from '@blueprintjs/icons'
import { isMasked } from '@garantia/shared/br/mask'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import { isConfirmation } from '@garantia/shared/evidence/checks'
import { brl, counted, date } from '@garantia/shared/format'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import type { ReactNode } from 'react'
import { messageOf } from '../../../../lib/messages.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { StatusBadge } from '../../../../ui/feedback/badge.tsx'
import { Delayed, Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { useKeyHint } from '../../../../ui/keys/key-hint.ts'
import { LinkButton } from '../../../../ui/page/link-button.tsx'
import { ConversionBadge } from '../../order/conversion-badge.tsx'
import { DaysOpen } from '../../order/days-open.tsx'
import { MaskedValue } from '../../order/masked-value.tsx'

/** Shows the list's data at once and completes it when the full order has loaded. */
export function PeekFacts({ row }: { row: ListedOrder }) {
  const { data: whole, error, refetch } = trpc.orders.one.useQuery({ id: row.id })
  const order = whole ?? row
  const hint = useKeyHint()
  return (
    <div className="peek-body">
      <div className="peek-badges">
        <StatusBadge badge={ORDER_STATUS[order.status]} />
        <ConversionBadge order={order} />
        <DaysOpen order={order} />
      </div>
      {error && (
        <p className="field-error">
          {messageOf(error)}{' '}
          <Button variant="minimal" size="small" text="Tentar novamente" onClick={() => void refetch()} />
        </p>
      )}
      <dl className="peek-facts">
        <Fact label="Cliente">
          {order.customer_name ?? (row.customer_phone ? null : '—')}
          <CustomerPhone row={row} />
        </Fact>
        <Fact label="Veículo">{[order.vehicle_model, order.vehicle_year].filter(Boolean).join(' · ')}</Fact>
        <Fact label="Placa">{order.vehicle_plate && formatPlate(order.vehicle_plate)}</Fact>
        <Fact label="Chassi">
          {order.vehicle_chassis && maskChassis(order.vehicle_chassis).replace(/^•+/, '…')}
        </Fact>
        <Fact label="Empresa">
          {order.brand.display_name} · {order.company.trading_name}
        </Fact>
        <Fact label="Técnico">{order.technician_name}</Fact>
        <Fact label="Responsável">{order.responsible_name}</Fact>
        <Fact label="Abertura">
          <span className="numeric">{date(order.opened_at)}</span>
        </Fact>
        <Fact label="Valor">
          <span className="numeric">{brl(order.total_value)}</span>
        </Fact>
      </dl>
      {whole?.problem_description && <p className="peek-problem">{whole.problem_description}</p>}
      <Files id={row.id} />
      <Missing id={row.id} />
      <div className="peek-actions">
        <LinkButton to="/os/$id" params={{ id: row.id }} text="Abrir OS" {...hint('Abrir OS', 'enter')} />
        <LinkButton to="/os/$id" params={{ id: row.id }} search={{ tab: 'evidencias' }} text="Evidências" />
      </div>
    </div>
  )
}

/** As the row of the list has it: what is masked there is revealed here, also where the order's page is whole. */
function CustomerPhone({ row: { id, customer_phone: phone } }: { row: ListedOrder }) {
  if (!phone) return null
  const shown = (whole: string) => <span className="muted numeric"> {formatPhone(whole)}</span>
  if (!isMasked(phone)) return shown(phone)
  return (
    <>
      {' '}
      <MaskedValue order_id={id} field="customer_phone" shown={phone}>
        {shown}
      </MaskedValue>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || '—'}</dd>
    </div>
  )
}

const SHOWN = 8

function Files({ id }: { id: number }) {
  const { data, error } = trpc.evidence.list.useQuery({ order_id: id })
  const files = data?.evidence_files ?? []
  const pictures = files.filter(({ thumbnail_url }) => thumbnail_url !== null).slice(0, SHOWN)
  return (
    <section aria-label="Evidências">
      <h3>Evidências</h3>
      {!data && error && <p className="muted">Não carregadas</p>}
      {!data && !error && (
        <Delayed>
          <Skeleton width={60} />
        </Delayed>
      )}
      {data && <p className="muted">{files.length === 0 ? 'Nenhuma evidência enviada' : filesText(files)}</p>}
      {pictures.length > 0 && (
        <div className="peek-pictures">
          {pictures.map((file) => (
            <img
              key={file.id}
              src={file.thumbnail_url ?? ''}
              alt={file.original_filename}
              title={file.original_filename}
              decoding="async"
            />
          ))}
        </div>
      )}
    </section>
  )
}
const filesText = (files: readonly { status: string }[]) => {
  const ready = files.filter(({ status }) => status === 'converted').length
  return `${counted(files.length, 'arquivo', 'arquivos')}, ${counted(ready, 'convertido', 'convertidos')}`
}

function Missing({ id }: { id: number }) {
  const { data } = trpc.evidence.checklist.useQuery({ order_id: id })
  if (!data) return null
  const missing = data.checks.filter(({ ok }) => !ok)
  const confirmed = data.checks.filter(isConfirmation)
  return (
    <section aria-label="O que falta">
      <h3>O que falta</h3>
      {missing.length === 0 ? (
        <p className="muted">Nada falta nesta OS.</p>
      ) : (
        <ul className="peek-missing">
          {missing.map(({ code, message }) => (
            <li key={code + message}>
              <WarningSignIcon size={14} aria-hidden="true" />
              {message}
            </li>
          ))}
        </ul>
      )}
      {confirmed.map(({ message }) => (
        <p key={message} className="muted">
          {message}
        </p>
      ))}
    </section>
  )
}
