import { awaitedText, DUE_KIND } from '@garantia/shared/claims/deadlines'
import { permittedSteps } from '@garantia/shared/claims/permitted'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { CLAIM_STATE, CLAIM_TYPE, claimName } from '@garantia/shared/claims/state'
import { nextStep, STEP_LABEL } from '@garantia/shared/claims/steps'
import { brl, counted, date } from '@garantia/shared/format'
import type { Actor } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import { useActor } from '../../../lib/actor.ts'
import { Badge, StatusBadge } from '../../../ui/feedback/badge.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { RowCheck } from '../../../ui/table/row-check.tsx'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { type FormStep, isFormStep } from '../claim/claim-subject.ts'
import { dueText } from '../claim/claim-words.ts'

export interface ClaimRowActions {
  start: (claim: ClaimRow, step: FormStep) => void
}

/** Steps that start from a row: those that open another claim need the whole order. */
export function stepsOfRow(actor: Actor, claim: ClaimRow) {
  const steps = permittedSteps(actor, claim).filter(isFormStep)
  const proposed = nextStep(claim)
  return { steps, next: steps.find((step) => step === proposed) ?? null }
}

/** The brand has not received it. */
const MailMark = ({ claim: { mail_failed_at } }: { claim: ClaimRow }) =>
  mail_failed_at !== null && <span className="cell-second claim-overdue">E-mail não saiu</span>

const Due = ({ claim }: { claim: ClaimRow }) => {
  const due = dueText(claim)
  if (!due && claim.due_awaits)
    return (
      <>
        <span>Em aberto</span>
        <span className="cell-second" title={awaitedText(claim.due_awaits)}>
          {DUE_KIND.appeal}
        </span>
      </>
    )
  if (!due) return <span className="muted">—</span>
  return (
    <>
      <span className={`numeric${due.isOverdue ? ' claim-overdue' : ''}`}>{due.on}</span>
      <span className="cell-second" title={due.what}>
        {due.what}
      </span>
    </>
  )
}

function Menu({ claim, actions }: { claim: ClaimRow; actions: ClaimRowActions }) {
  const { steps, next } = stepsOfRow(useActor(), claim)
  if (steps.length === 0) return null
  return (
    <RowMenu
      label={`Ações da ${claimName(claim)}`}
      items={steps.map((step) => ({
        text: STEP_LABEL[step],
        isDanger: step === 'withdraw',
        ...(step === next && { keys: 'p' }),
        onClick: () => actions.start(claim, step),
      }))}
    />
  )
}

const ageText = ({ age_days }: ClaimRow) =>
  age_days === null ? null : age_days === 0 ? 'hoje' : counted(age_days, 'dia', 'dias')
const money = (
  id: 'claimed' | 'authorised' | 'paid' | 'open_amount',
  header: string,
  meta: Column<ClaimRow>['meta'] = {},
): Column<ClaimRow> => ({
  id,
  header,
  accessorFn: (claim) => brl(claim[id]),
  meta: { width: 'w-money', align: 'right', ...meta },
  cell: ({ row }) => <span className="numeric">{brl(row.original[id])}</span>,
})

export const claimColumns = (actions: ClaimRowActions): Column<ClaimRow>[] => [
  {
    id: 'claim',
    header: 'SG',
    meta: { width: 'w-checked', sort: 'created_at' },
    cell: ({ row: { original: claim } }) => (
      <>
        <span className="numeric claim-name">{claimName(claim).replace('SG ', '')}</span>
        {claim.type !== 'normal' && <span className="cell-second">{CLAIM_TYPE[claim.type].label}</span>}
      </>
    ),
  },
  {
    id: 'company',
    header: 'Marca e empresa',
    meta: { width: 'w-company' },
    cell: ({ row: { original } }) => (
      <TwoLines first={original.brand.display_name} second={original.company.trading_name} />
    ),
  },
  {
    id: 'state',
    header: 'Situação',
    meta: { width: 'w-badge' },
    cell: ({ row: { original } }) => (
      <>
        <StatusBadge badge={CLAIM_STATE[original.state]} />
        <MailMark claim={original} />
      </>
    ),
  },
  {
    id: 'sent_at',
    header: 'Enviada',
    meta: { width: 'w-date', sort: 'sent_at' },
    cell: ({ row: { original } }) => (
      <TwoLines first={original.sent_at && date(original.sent_at)} second={ageText(original)} />
    ),
  },
  {
    id: 'brand_number',
    header: 'Nº na marca',
    meta: { width: 'w-state', priority: 3 },
    cell: ({ row: { original } }) => (
      <span className="two-lines numeric claim-brand-number" title={original.brand_number ?? undefined}>
        {original.brand_number ?? '—'}
      </span>
    ),
  },
  money('claimed', 'Solicitado', { sort: 'claimed' }),
  money('authorised', 'Autorizado', { priority: 3 }),
  money('paid', 'Pago'),
  money('open_amount', 'Em aberto', { sort: 'open_amount' }),
  {
    id: 'due_on',
    header: 'Próxima data',
    meta: { width: 'w-seen', sort: 'due_on' },
    cell: ({ row }) => <Due claim={row.original} />,
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row }) => <Menu claim={row.original} actions={actions} />,
  },
]

interface CardProps {
  claim: ClaimRow
  actions: ClaimRowActions
  selection: RowSelection<ClaimRow>
}

/** List row as a card, for phones. */
export function ClaimCard({ claim, actions, selection }: CardProps) {
  const due = dueText(claim)
  return (
    <div className={`row-card order-list-card panel${selection.has(claim) ? ' is-selected' : ''}`}>
      <div className="row-card-line">
        <span className="order-list-card-title">
          <RowCheck
            label={`Selecionar ${claimName(claim)}`}
            isChecked={selection.has(claim)}
            onToggle={() => selection.toggle(claim)}
          />
          <Link to="/os/$id" params={{ id: claim.order_id }} search={{ tab: 'garantia' }} className="numeric">
            {claimName(claim)}
          </Link>
        </span>
        <span className="order-list-card-meta">
          <StatusBadge badge={CLAIM_STATE[claim.state]} />
          <Menu claim={claim} actions={actions} />
        </span>
      </div>
      <span className="cell-second">
        {claim.brand.display_name} · {claim.company.trading_name}
      </span>
      <div className="row-card-line">
        <span className="muted numeric">
          {claim.sent_at ? `${date(claim.sent_at)} · ${ageText(claim)}` : 'Não enviada'}
        </span>
        {claim.type !== 'normal' && (
          <Badge colour="gray" isOutlined>
            {CLAIM_TYPE[claim.type].label}
          </Badge>
        )}
      </div>
      <MailMark claim={claim} />
      {due && (
        <span className={`cell-second numeric${due.isOverdue ? ' claim-overdue' : ''}`}>
          {due.what}: {due.on} ({due.left})
        </span>
      )}
      <div className="row-card-line order-list-card-foot numeric">
        <span className="muted">Solicitado {brl(claim.claimed)}</span>
        <span>
          Em aberto <strong>{brl(claim.open_amount)}</strong>
        </span>
      </div>
    </div>
  )
}
