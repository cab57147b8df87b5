import { Button } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import { MenuButton } from '../overlay/menu-button.tsx'
import { FilterText } from './filter-text.tsx'

interface Props {
  /** What is filtered: «Próxima data». */
  label: string
  /** First entry, and the button while nothing is chosen: «Qualquer data». */
  all: string
  choices: readonly { value: string; label: string }[]
  /** Empty while nothing is chosen. */
  chosen: string
  onChange: (value: string) => void
}

/** A filter with one value of a few. The menu closes with the choice. */
export function ChoiceFilter({ label, all, choices, chosen, onChange }: Props) {
  const text = choices.find(({ value }) => value === chosen)?.label
  return (
    <MenuButton
      label={label}
      placement="bottom-start"
      items={[{ value: '', label: all }, ...choices].map((one) => ({
        text: one.label,
        isChosen: one.value === chosen,
        onClick: () => onChange(one.value),
      }))}
    >
      <Button
        className="filter-button"
        endIcon={<CaretDownIcon />}
        text={text ?? <FilterText label={label} all={all} />}
        active={text !== undefined}
        aria-label={`${label}: ${text ?? all}`}
      />
    </MenuButton>
  )
}
