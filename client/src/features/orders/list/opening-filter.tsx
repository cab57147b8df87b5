import { Button } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useState } from 'react'
import { KeyMenu } from '../../../ui/overlay/key-menu.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'
import { FilterText } from '../../../ui/table/filter-text.tsx'
import type { Period } from '../dashboard/dashboard-search.ts'
import { isAllTime, PRESETS, periodText, presetOf } from '../dashboard/period.ts'
import type { ListState } from './list-state.ts'

/** Masks and form rules are loaded only when days are typed. */
const PeriodForm = lazy(async () => ({ default: (await import('../dashboard/period-form.tsx')).PeriodForm }))

/** When the listed orders were opened. */
export function OpeningFilter({ list: { state, filterBy } }: { list: ListState }) {
  const [isOpen, setIsOpen] = useState(false)
  const now = new Date()
  const { start_date, end_date } = state
  const period = { start_date, end_date }
  const preset = presetOf(period, now)
  const choose = (period: Period) => {
    setIsOpen(false)
    filterBy(period)
  }
  const text = isAllTime(period) ? 'Qualquer data' : (preset?.label ?? periodText(period))
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-start"
      kind="dialog"
      onOpening={(popup) => popup.querySelector('button')?.focus({ preventScroll: true })}
      content={
        <KeyMenu>
          <div role="dialog" aria-label="Abertura" className="opening-filter">
            <div className="opening-presets">
              {PRESETS.map(({ id, label, of }) => (
                <Button
                  key={id}
                  size="small"
                  variant="minimal"
                  className="bp6-menu-item"
                  text={id === 'all' ? 'Qualquer data' : label}
                  aria-pressed={preset?.id === id}
                  active={preset?.id === id}
                  onClick={() => choose(of(now))}
                />
              ))}
            </div>
            <Suspense fallback={null}>
              <PeriodForm period={period} onChange={choose} />
            </Suspense>
          </div>
        </KeyMenu>
      }
    >
      <Button
        className="filter-button"
        endIcon={<CaretDownIcon />}
        text={isAllTime(period) ? <FilterText label="Abertura" all={text} /> : text}
        active={!isAllTime(period)}
        aria-label={`Abertura: ${text}`}
      />
    </Popover>
  )
}
