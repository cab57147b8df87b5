import { Button } from '@blueprintjs/core'
import { lazy, Suspense, useState } from 'react'
import type { Period } from './dashboard-search.ts'
import './period-form.css'
import { PRESETS, periodText, presetOf } from './period.ts'

/** Masks and form rules are loaded only when days are typed. */
const PeriodForm = lazy(async () => ({ default: (await import('./period-form.tsx')).PeriodForm }))

interface Props {
  period: Period
  onChange: (period: Period) => void
}

export function PeriodFilter({ period, onChange }: Props) {
  const now = new Date()
  const preset = presetOf(period, now)
  const [isChoosing, setIsChoosing] = useState(!preset)
  return (
    <search className="period">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border and need a legend */}
      <div className="period-presets" role="group" aria-label="Período">
        {PRESETS.map(({ id, label, of }) => (
          <Button
            key={id}
            size="small"
            variant="minimal"
            text={label}
            active={!isChoosing && preset?.id === id}
            aria-pressed={!isChoosing && preset?.id === id}
            onClick={() => {
              setIsChoosing(false)
              onChange(of(now))
            }}
          />
        ))}
        <Button
          size="small"
          variant="minimal"
          text="Personalizado"
          active={isChoosing}
          aria-pressed={isChoosing}
          aria-expanded={isChoosing}
          onClick={() => setIsChoosing(true)}
        />
      </div>
      {isChoosing && (
        <Suspense fallback={<PeriodFormRoom />}>
          <PeriodForm period={period} onChange={onChange} />
        </Suspense>
      )}
      <span className="toolbar-count numeric" role="status">
        {periodText(period)}
      </span>
    </search>
  )
}

/** As large as the form, so that nothing below moves when it arrives. */
const PeriodFormRoom = () => (
  <div className="period-form period-form-room" aria-hidden="true">
    {['De', 'Até'].map((label) => (
      <div key={label} className="field">
        <span className="field-label">{label}</span>
        <span className="bp6-input" />
      </div>
    ))}
    <Button text="Aplicar" disabled />
  </div>
)
