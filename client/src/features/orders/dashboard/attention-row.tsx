import { integer } from '@garantia/shared/format'
import { ATTENTION } from '@garantia/shared/orders/attention'
import { Link } from '@tanstack/react-router'
import { trpc } from '../../../lib/trpc.ts'
import { FailedFigures } from '../../../ui/feedback/failed-figures.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { ATTENTION_KEYS } from '../order/attention-keys.ts'
import { REFRESH } from './recent-orders.tsx'

/** What needs somebody today, whatever the period; each tile leads to the orders it counts. */
export function AttentionRow() {
  const { data, errorUpdateCount, refetch } = trpc.dashboard.attention.useQuery(undefined, {
    refetchInterval: REFRESH,
  })
  const hint = useKeyHint()
  const isUnknown = !data && errorUpdateCount > 0
  return (
    <section className="attention" aria-labelledby="attention">
      <div className="attention-head">
        <h2 id="attention">Para hoje</h2>
        <FailedFigures
          failure={isUnknown ? 'Não foi possível contar as ordens.' : null}
          onRetry={() => void refetch()}
        />
      </div>
      <ul className="attention-tiles">
        {ATTENTION.map(({ id, label, meaning, criteria }) => {
          const figure = data?.[id]
          const state = figure && (figure.orders === 0 ? 'is-none' : 'has-some')
          return (
            <li key={id} className={`panel attention-tile is-${id} ${state ?? ''}`}>
              <Link to="/lista-os" search={criteria} {...hint(meaning, ATTENTION_KEYS.get(label) ?? '')}>
                <span className="attention-figure numeric">
                  {figure ? (
                    `${integer(figure.orders)}${figure.is_exact ? '' : '+'}`
                  ) : isUnknown ? (
                    '—'
                  ) : (
                    <Skeleton width={45} />
                  )}
                </span>
                <span className="attention-label">{label}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
