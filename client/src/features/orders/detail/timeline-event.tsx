import { dateTime } from '@garantia/shared/format'
import type { HistoryEvent } from '@garantia/shared/orders/history'
import type { Ref } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { eventLabel, factLabel, factsOf, groupOf, isCounted, valueText } from '../order/order-labels.ts'

/** Actor, time, and each field before and after. */
export const TimelineEvent = ({ event, ref }: { event: HistoryEvent; ref?: Ref<HTMLLIElement> }) => (
  <li ref={ref} tabIndex={-1} className={`timeline-event is-${groupOf(event.kind)}`}>
    <p className="timeline-line">
      <strong>{eventLabel(event.kind)}</strong>
      <span className="muted">
        {event.actor_name} · <time dateTime={event.at}>{dateTime(event.at)}</time>
      </span>
    </p>
    <dl className="timeline-facts">
      {factsOf(event.changes).map(([name, value]) => (
        <div key={name} className="timeline-fact">
          <dt>{factLabel(name)}</dt>
          <dd>{name === 'problems' ? <Problems list={value} /> : <Fact name={name} value={value} />}</dd>
        </div>
      ))}
    </dl>
  </li>
)

/** A changed field is stored as [before, after]. */
const isChange = (name: string, value: unknown): value is [unknown, unknown] =>
  Array.isArray(value) && value.length === 2 && !isCounted(name)

function Fact({ name, value }: { name: string; value: unknown }) {
  if (!isChange(name, value)) return <Value name={name} value={value} />
  const [before, after] = value
  return (
    <>
      <del>
        <span className="visually-hidden">de </span>
        <Value name={name} value={before} />
      </del>
      <span aria-hidden="true"> → </span>
      <ins>
        <span className="visually-hidden">para </span>
        <Value name={name} value={after} />
      </ins>
    </>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (name === 'brand_id' && typeof value === 'number') return <BrandName id={value} />
  if (name === 'company_id' && typeof value === 'number') return <CompanyName id={value} />
  return valueText(name, value)
}

/** Lists are shown in full, one item per line. */
const Problems = ({ list }: { list: unknown }) => (
  <ul className="problem-list">
    {(Array.isArray(list) ? list : [list]).map((problem) => (
      <li key={String(problem)}>{String(problem)}</li>
    ))}
  </ul>
)

function BrandName({ id }: { id: number }) {
  const { data } = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  return data?.data.find((brand) => brand.id === id)?.display_name ?? `nº ${id}`
}

/** The company may have been deleted or be outside the reader's scope. */
function CompanyName({ id }: { id: number }) {
  const { data } = trpc.companies.one.useQuery({ id }, { staleTime: 60_000 })
  return data?.trading_name ?? `nº ${id}`
}
