import { type ReactNode, useId } from 'react'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'

/** One figure of each line and of the total. */
export interface ReportColumn<Figures> {
  /** Also the key. */
  label: string
  meaning?: string
  cell: (figures: Figures) => ReactNode
}
interface Props<Figures> {
  title: string
  /** Heading of the names. */
  head: string
  columns: readonly ReportColumn<Figures>[]
  /** Undefined while loading. */
  lines: readonly ({ key: string | null; name: string } & Figures)[] | undefined
  total: Figures | undefined
  className?: string
  /** Between title and table. */
  children?: ReactNode
}

/** One part of a report: a line for each name, and their total. */
export function ReportTable<Figures>(props: Props<Figures>) {
  const { title, head, columns, lines, total, className = '', children } = props
  const id = useId()
  const figuresOf = (figures: Figures) =>
    columns.map(({ label, cell }) => (
      <td key={label} className="numeric">
        {cell(figures)}
      </td>
    ))
  return (
    <section className="panel report-panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <table className={`report-table ${className}`}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map(({ label, meaning }) => (
              <th key={label} scope="col" title={meaning}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {!lines?.length && (
            <tr>
              <td colSpan={columns.length + 1} className="muted">
                {lines ? (
                  'Nada no período.'
                ) : (
                  <Delayed>
                    <Skeleton width={80} />
                  </Delayed>
                )}
              </td>
            </tr>
          )}
          {lines?.map((line) => (
            <tr key={line.key}>
              <th scope="row">{line.name}</th>
              {figuresOf(line)}
            </tr>
          ))}
        </tbody>
        {total && lines && lines.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {figuresOf(total)}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
