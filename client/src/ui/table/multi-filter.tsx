import { Button } from '@blueprintjs/core'
import { CaretDownIcon, TickIcon } from '@blueprintjs/icons'
import { folded } from '@garantia/shared/format'
import { useRef, useState } from 'react'
import { useKeyHint } from '../keys/key-hint.ts'
import { useShortcut } from '../keys/shortcut.ts'
import { focusFirstItem } from '../overlay/focus-first-item.ts'
import { KeyMenu } from '../overlay/key-menu.tsx'
import { Popover } from '../overlay/popover.tsx'
import { FilterText } from './filter-text.tsx'

export interface Choice {
  value: string
  label: string
  /** A count at the right. */
  aside?: string | undefined
}
interface Props {
  /** What is filtered: «Status». */
  label: string
  /** Button and first entry while nothing is chosen: «Todos os status». */
  all: string
  /** Button with several values: «3 status». */
  several: (count: number) => string
  choices: readonly Choice[]
  chosen: readonly string[]
  /** `isFirst` is true for the first change since the menu was opened. */
  onChange: (values: string[], isFirst: boolean) => void
  shortcut?: string
  onOpen?: () => void
}

/** From so many choices on there is a field to find one. */
const SEARCHED = 9

/** A filter with any number of values. The menu stays open; each choice applies at once. */
export function MultiFilter({ label, all, several, choices, chosen, onChange, shortcut, onOpen }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const hasChanged = useRef(false)
  const hint = useKeyHint()
  const interact = (isOpen: boolean) => {
    if (isOpen) {
      hasChanged.current = false
      setTyped('')
      onOpen?.()
    }
    setIsOpen(isOpen)
  }
  const button = useRef<HTMLButtonElement>(null)
  const openByKey = () => {
    // The menu gives the focus back to what had it.
    button.current?.focus()
    interact(true)
  }
  useShortcut(shortcut ?? [], openByKey, {
    isEnabled: shortcut !== undefined,
    label,
    scope: 'table',
  })
  const change = (values: string[]) => {
    onChange(values, !hasChanged.current)
    hasChanged.current = true
  }
  const labels = chosen.map((value) => choices.find((one) => one.value === value)?.label ?? '…')
  const text = labels.length === 0 ? all : labels.length === 1 ? labels[0] : several(labels.length)
  const shown = choices.filter((one) => folded(one.label).includes(folded(typed.trim())))
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={interact}
      placement="bottom-start"
      onOpening={(popup) => {
        const box = popup.querySelector('input')
        if (box) box.focus({ preventScroll: true })
        else focusFirstItem(popup)
      }}
      content={
        <KeyMenu>
          <div className="multi-filter">
            {choices.length >= SEARCHED && (
              <input
                className="bp6-input bp6-fill"
                type="search"
                aria-label={`Procurar em ${label}`}
                placeholder="Procurar…"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            <div role="menu" aria-label={label} className="bp6-menu">
              {typed === '' && (
                <Entry label={all} isChosen={chosen.length === 0} onToggle={() => change([])} />
              )}
              {shown.map((one) => (
                <Entry
                  key={one.value}
                  {...one}
                  isChosen={chosen.includes(one.value)}
                  onToggle={() =>
                    change(
                      chosen.includes(one.value)
                        ? chosen.filter((value) => value !== one.value)
                        : [...chosen, one.value],
                    )
                  }
                />
              ))}
            </div>
            {shown.length === 0 && <p className="muted multi-filter-none">Nada com esse nome.</p>}
          </div>
        </KeyMenu>
      }
    >
      <Button
        ref={button}
        className="filter-button"
        endIcon={<CaretDownIcon />}
        text={labels.length === 0 ? <FilterText label={label} all={all} /> : text}
        active={chosen.length > 0}
        {...(shortcut && hint(label, shortcut))}
        aria-label={`${label}: ${text}`}
      />
    </Popover>
  )
}

interface EntryProps {
  label: string
  aside?: string | undefined
  isChosen: boolean
  onToggle: () => void
}
const Entry = ({ label, aside, isChosen, onToggle }: EntryProps) => (
  <button
    type="button"
    role="menuitemcheckbox"
    aria-checked={isChosen}
    className="bp6-menu-item multi-filter-entry"
    onClick={onToggle}
  >
    <span className="multi-filter-mark">{isChosen && <TickIcon />}</span>
    <span className="clip">{label}</span>
    {aside && <span className="muted numeric">{aside}</span>}
  </button>
)
