import { Button } from '@blueprintjs/core'
import { ChartIcon, ThIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'

export interface Bar {
  label: string
  value: number
}
interface Props {
  title: string
  aside: string
  /** Heading of the table's first column: what a bar stands for. */
  head: string
  bars: readonly Bar[]
  chart: ReactNode
}

/** A chart, with a switch to the same figures as a table for accessibility. */
export function ChartPanel({ title, aside, head, bars, chart }: Props) {
  const id = useId()
  const [isTable, setIsTable] = useState(false)
  return (
    <section className="panel chart-panel" aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        <span className="muted">{aside}</span>
        <Button
          size="small"
          variant="minimal"
          icon={isTable ? <ChartIcon /> : <ThIcon />}
          text={isTable ? 'Ver gráfico' : 'Ver tabela'}
          aria-label={`${isTable ? 'Ver gráfico' : 'Ver tabela'}: ${title}`}
          onClick={() => setIsTable(!isTable)}
        />
      </header>
      <div className="chart-area">
        {isTable ? (
          <table className="chart-table">
            <thead>
              <tr>
                <th scope="col">{head}</th>
                <th scope="col">OS</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ label, value }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td className="numeric">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          chart
        )}
      </div>
    </section>
  )
}
