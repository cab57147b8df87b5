import { HTMLSelect } from '@blueprintjs/core'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORY, OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import type { ControlProps } from '../../../ui/form/field.tsx'

interface Props {
  control: ControlProps | { 'aria-label': string }
  value: string
  onChange: (category: string) => void
  brand: string
  required: readonly RequiredCategory[]
}

/** The nine categories of UPL-1, plus any other category that this brand requires (D-27). */
export function CategorySelect({ control, value, onChange, brand, required }: Props) {
  const beyond = required.map(({ category }) => category).filter((one) => !OFFERED_CATEGORIES.includes(one))
  return (
    <HTMLSelect
      {...control}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      fill
    >
      <option value="">Sem categoria</option>
      {OFFERED_CATEGORIES.map(option)}
      {beyond.length > 0 && <optgroup label={`Exigidas por ${brand}`}>{beyond.map(option)}</optgroup>}
    </HTMLSelect>
  )
}
const option = (category: (typeof OFFERED_CATEGORIES)[number]) => (
  <option key={category} value={category}>
    {EVIDENCE_CATEGORY[category]}
  </option>
)
