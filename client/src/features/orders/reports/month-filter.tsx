import { Button, HTMLSelect } from '@blueprintjs/core'
import { monthText, type ReportPeriod } from '@garantia/shared/orders/report'
import { useId } from 'react'
import { monthChoices, PRESETS, periodAfter } from './reports-search.ts'

interface Props {
  period: ReportPeriod
  onChange: (period: ReportPeriod) => void
}

/** One month or some, by a press or by both ends. */
export function MonthFilter({ period, onChange }: Props) {
  const now = new Date()
  const choices = monthChoices([period.from, period.until], now)
  return (
    <search className="report-filter no-print">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border and need a legend */}
      <div className="report-presets" role="group" aria-label="Período">
        {PRESETS.map(({ label, of }) => {
          const preset = of(now)
          const isShown = preset.from === period.from && preset.until === period.until
          return (
            <Button
              key={label}
              size="small"
              variant="minimal"
              text={label}
              active={isShown}
              aria-pressed={isShown}
              onClick={() => onChange(preset)}
            />
          )
        })}
      </div>
      <Month
        label="De"
        value={period.from}
        choices={choices}
        onChange={(from) => onChange(periodAfter({ from }, period))}
      />
      <Month
        label="Até"
        value={period.until}
        choices={choices}
        onChange={(until) => onChange(periodAfter({ until }, period))}
      />
    </search>
  )
}

interface MonthProps {
  label: string
  value: string
  choices: readonly string[]
  onChange: (month: string) => void
}
function Month({ label, value, choices, onChange }: MonthProps) {
  const id = useId()
  return (
    <div className="report-month">
      <label htmlFor={id}>{label}</label>
      <HTMLSelect id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((month) => (
          <option key={month} value={month}>
            {monthText(month)}
          </option>
        ))}
      </HTMLSelect>
    </div>
  )
}
