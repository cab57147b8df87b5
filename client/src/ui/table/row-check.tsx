import { useEffect, useRef } from 'react'

interface Props {
  label: string
  isChecked: boolean
  isPartial?: boolean
  tabIndex?: number
  onToggle: (isRange: boolean) => void
}

/** Selects a row by mouse; a click focuses the row, so that keys continue there. */
export function RowCheck({ label, isChecked, isPartial = false, tabIndex, onToggle }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial
  }, [isPartial])
  return (
    <label className="row-check">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        tabIndex={tabIndex}
        onChange={() => {}}
        onClick={(event) => {
          onToggle(event.shiftKey)
          event.currentTarget.closest<HTMLElement>('[data-row]')?.focus()
        }}
      />
    </label>
  )
}
