import type { AmountFigure } from '@garantia/shared/claims/reports'
import { AGE_BUCKETS, SOON_DAYS } from '@garantia/shared/claims/soon'
import { brl, daysBefore, integer, isoDay } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { FailedFigures } from '../../../ui/feedback/failed-figures.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import './deadlines.css'

/** The oldest divisions of what is to be received have a tile of their own. */
const SHOWN_AGES = 2

/** What is due and what brands owe; each tile leads to the list that makes it. */
export function ClaimsRow({ refreshEvery }: { refreshEvery: number }) {
  const mayRead = can(useActor(), 'claim.list')
  const counts = trpc.deadlines.counts.useQuery(undefined, {
    refetchInterval: refreshEvery,
    enabled: mayRead,
  })
  const money = trpc.claimReports.receivable.useQuery({}, { refetchInterval: refreshEvery, enabled: mayRead })
  if (!mayRead) return null
  const today = isoDay(new Date())
  const due = (name: 'overdue' | 'soon') =>
    counts.data ? integer(counts.data[name]) : isUnknown(counts) ? '—' : <Skeleton width={45} />
  return (
    <section className="attention" aria-labelledby="claims-row">
      <div className="attention-head">
        <h2 id="claims-row">Garantia</h2>
        <FailedFigures
          failure={failureOf(isUnknown(counts), isUnknown(money))}
          onRetry={() => {
            if (isUnknown(counts)) void counts.refetch()
            if (isUnknown(money)) void money.refetch()
          }}
        />
      </div>
      <ul className="attention-tiles">
        <Tile kind="overdue" count={counts.data?.overdue}>
          <Link to="/prazos" search={{ until: daysBefore(today, 1) }} title="Prazos que já passaram">
            <span className="attention-figure numeric claims-figure">{due('overdue')}</span>
            <span className="attention-label">Prazos vencidos</span>
          </Link>
        </Tile>
        <Tile kind="near" count={counts.data?.soon}>
          <Link to="/prazos" search={{ until: daysBefore(today, -SOON_DAYS) }} title="Com os que já passaram">
            <span className="attention-figure numeric claims-figure">{due('soon')}</span>
            <span className="attention-label">Vencem em {SOON_DAYS} dias</span>
          </Link>
        </Tile>
        <Amount
          label="A receber"
          meaning="O que as marcas ainda não pagaram"
          figure={money.data?.receivable}
          isFailed={isUnknown(money)}
        />
        {AGE_BUCKETS.slice(-SHOWN_AGES).map(({ label }) => (
          <Amount
            key={label}
            label={`A receber há ${label.toLowerCase()}`}
            meaning={`Solicitações enviadas há ${label.toLowerCase()}, pelo que ainda não foi pago`}
            figure={money.data?.ages.find((one) => one.label === label)}
            isFailed={isUnknown(money)}
          />
        ))}
      </ul>
    </section>
  )
}

/** A query without data clears its error on each retry, but keeps the error count. */
const isUnknown = ({ data, errorUpdateCount }: { data: unknown; errorUpdateCount: number }) =>
  !data && errorUpdateCount > 0
function failureOf(hasNoDays: boolean, hasNoAmounts: boolean) {
  const what = [hasNoDays && 'os prazos', hasNoAmounts && 'os valores a receber'].filter(Boolean)
  return what.length > 0 ? `Não foi possível carregar ${what.join(' e ')}.` : null
}

interface TileProps {
  kind: string
  /** Undefined until it is known: the tile has no colour before. */
  count: number | undefined
  children: ReactNode
}
function Tile({ kind, count, children }: TileProps) {
  const state = count !== undefined && (count === 0 ? 'is-none' : 'has-some')
  return <li className={`panel attention-tile is-${kind} ${state || ''}`}>{children}</li>
}

interface AmountProps {
  label: string
  meaning: string
  figure: AmountFigure | undefined
  isFailed: boolean
}
function Amount({ label, meaning, figure, isFailed }: AmountProps) {
  const search = Object.fromEntries(
    Object.entries(figure?.criteria ?? {}).map(([name, value]) => [name, String(value)]),
  )
  return (
    <Tile kind="receivable" count={figure?.claims}>
      <Link to="/solicitacoes" search={search} title={meaning}>
        <span className="attention-figure numeric claims-figure claims-amount">
          {figure ? brl(figure.amount) : isFailed ? '—' : <Skeleton width={70} />}
        </span>
        <span className="attention-label">{label}</span>
      </Link>
    </Tile>
  )
}
