import { integer } from '@garantia/shared/format'
import { REPORT_FIGURE, REPORT_FIGURES, type ReportFigures } from '@garantia/shared/orders/report'
import { useId } from 'react'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'

interface Props {
  title: string
  /** Heading of the names. */
  head: string
  /** Undefined while loading. */
  lines: readonly ({ key: string; name: string } & ReportFigures)[] | undefined
  total: ReportFigures | undefined
}

/** One part of the report: a line for each name, and their total. */
export function ReportTable({ title, head, lines, total }: Props) {
  const id = useId()
  return (
    <section className="panel report-panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="report-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {REPORT_FIGURES.map((figure) => (
              <th key={figure} scope="col" title={REPORT_FIGURE[figure].meaning}>
                {REPORT_FIGURE[figure].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines === undefined && (
            <tr>
              <td colSpan={REPORT_FIGURES.length + 1}>
                <Delayed>
                  <Skeleton width={80} />
                </Delayed>
              </td>
            </tr>
          )}
          {lines?.length === 0 && (
            <tr>
              <td colSpan={REPORT_FIGURES.length + 1} className="muted">
                Nada no período.
              </td>
            </tr>
          )}
          {lines?.map(({ key, name, ...figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <Figures of={figures} />
            </tr>
          ))}
        </tbody>
        {total && lines && lines.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Figures of={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

const Figures = ({ of: figures }: { of: ReportFigures }) =>
  REPORT_FIGURES.map((figure) => (
    <td key={figure} className={figures[figure] === 0 ? 'numeric is-zero' : 'numeric'}>
      {integer(figures[figure])}
    </td>
  ))
