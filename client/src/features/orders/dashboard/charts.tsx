import { useParentSize } from '@visx/responsive'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar as Rectangle } from '@visx/shape'
import type { Bar } from './chart-panel.tsx'

interface Props {
  label: string
  bars: readonly Bar[]
}
const HEIGHT = 224
const ROW_HEIGHT = 28
const LABEL_WIDTH = 116
const VALUE_WIDTH = 44
const AXIS_HEIGHT = 36
const CAPTION_HEIGHT = 20
/** At least 1, because a scale needs a non-empty domain. */
const longest = (bars: readonly Bar[]) => Math.max(1, ...bars.map(({ value }) => value))
const chartSummary = (label: string, bars: readonly Bar[]) =>
  `${label}: ${bars.map((bar) => `${bar.label}, ${bar.value}`).join('; ')}`

/** Horizontal bars, for long labels. */
export function HorizontalBars({ label, bars }: Props) {
  const { parentRef, width } = useParentSize({ debounceTime: 50 })
  const height = Math.min(HEIGHT, bars.length * ROW_HEIGHT)
  const y = scaleBand({ domain: bars.map((bar) => bar.label), range: [0, height], padding: 0.35 })
  const x = scaleLinear({
    domain: [0, longest(bars)],
    range: [0, Math.max(0, width - LABEL_WIDTH - VALUE_WIDTH)],
  })
  return (
    <div ref={parentRef} className="chart">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={chartSummary(label, bars)}
      >
        {bars.map((bar) => {
          const top = y(bar.label) ?? 0
          const middle = top + y.bandwidth() / 2
          return (
            <g key={bar.label}>
              <text className="chart-label" x={LABEL_WIDTH - 10} y={middle} dy="0.35em" textAnchor="end">
                {bar.label}
              </text>
              <Rectangle
                className="chart-bar"
                x={LABEL_WIDTH}
                y={top}
                width={x(bar.value)}
                height={y.bandwidth()}
                rx={3}
              />
              <text className="chart-label" x={LABEL_WIDTH + x(bar.value) + 8} y={middle} dy="0.35em">
                {bar.value}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** Vertical bars, for days in order; a label of two words takes two lines. */
export function VerticalBars({ label, bars }: Props) {
  const { parentRef, width } = useParentSize({ debounceTime: 50 })
  const floor = HEIGHT - AXIS_HEIGHT
  const x = scaleBand({ domain: bars.map((bar) => bar.label), range: [0, width], padding: 0.4 })
  const y = scaleLinear({ domain: [0, longest(bars)], range: [floor, CAPTION_HEIGHT] })
  return (
    <div ref={parentRef} className="chart">
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={chartSummary(label, bars)}
      >
        {bars.map((bar) => {
          const left = x(bar.label) ?? 0
          const middle = left + x.bandwidth() / 2
          return (
            <g key={bar.label} textAnchor="middle">
              <Rectangle
                className="chart-bar"
                x={left}
                y={y(bar.value)}
                width={x.bandwidth()}
                height={floor - y(bar.value)}
                rx={3}
              />
              <text className="chart-label" x={middle} y={y(bar.value) - 6}>
                {bar.value}
              </text>
              {bar.label.split(' ').map((word, line) => (
                <text key={word} className="chart-label" x={middle} y={floor + 16 + line * 15}>
                  {word}
                </text>
              ))}
            </g>
          )
        })}
        <line className="chart-line" x2={width} y1={floor} y2={floor} />
      </svg>
    </div>
  )
}
