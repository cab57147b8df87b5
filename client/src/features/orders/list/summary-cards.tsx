import { integer } from '@garantia/shared/format'
import type { OrderSummary } from '@garantia/shared/orders/schema'
import { useId } from 'react'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

/** Each card applies the filter that lists the orders it counts (D-28). */
const CARDS = [
  { label: 'Total de OS', status: '', count: 'total' },
  { label: 'Concluídas', status: 'completed', count: 'completed' },
  { label: 'Em Análise', status: 'in_analysis', count: 'in_analysis' },
  { label: 'Pendentes', status: 'pending,pending_upload', count: 'pending' },
] as const
const WHAT_TOTAL_IS = 'Total = concluídas + em análise + pendentes + em andamento + canceladas'
const WHAT_PENDING_IS = 'Pendentes e aguardando upload'
const WHAT_A_FLOOR_IS = 'Busca ampla: contado só em parte, há pelo menos este número'

const isSame = (one: string, other: string) => one.split(',').sort().join() === other.split(',').sort().join()

interface Props {
  summary: OrderSummary | undefined
  isStale: boolean
  /** The query failed; the table below reports it and offers a retry. */
  isFailed: boolean
  status: string
  onFilter: (status: string) => void
}

export function SummaryCards({ summary, isStale, isFailed, status, onFilter }: Props) {
  const id = useId()
  /** A lower bound is marked with «+». */
  const figure = (n: number) => `${integer(n)}${summary?.is_exact ? '' : '+'}`
  const hintOf = (count: (typeof CARDS)[number]['count']) => {
    if (!summary?.is_exact) return summary && WHAT_A_FLOOR_IS
    if (count === 'total') return WHAT_TOTAL_IS
    return count === 'pending' ? WHAT_PENDING_IS : undefined
  }
  return (
    <section aria-label="Resumo" className={isStale ? 'summary is-stale' : 'summary'}>
      {CARDS.map(({ label, status: own, count }) => {
        const hint = hintOf(count)
        return (
          <button
            key={count}
            type="button"
            className={`summary-card panel${own === '' ? ' is-whole' : ''}`}
            aria-pressed={isSame(status, own)}
            aria-describedby={hint && `${id}-${count}`}
            title={hint}
            onClick={() => onFilter(isSame(status, own) ? '' : own)}
          >
            <span className="summary-label">{label}</span>
            <span className="summary-figure numeric">
              {summary ? figure(summary[count]) : isFailed ? <Unknown /> : <Skeleton width={40} />}
            </span>
            {count === 'total' && summary && (
              <span className="summary-rest numeric">
                <span>{figure(summary.under_way)} em andamento</span>
                <span>
                  {figure(summary.cancelled)} {summary.cancelled === 1 ? 'cancelada' : 'canceladas'}
                </span>
              </span>
            )}
            {hint && (
              <span id={`${id}-${count}`} hidden>
                {hint}
              </span>
            )}
          </button>
        )
      })}
    </section>
  )
}

const Unknown = () => (
  <>
    <span aria-hidden>—</span>
    <span className="visually-hidden">não foi possível carregar</span>
  </>
)
