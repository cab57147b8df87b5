import { InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef } from 'react'
import { useShortcut } from './shortcut.ts'

interface Props {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

/** The search of a list: «/» comes here, Enter or the down arrow goes on into the rows. */
export function SearchBox({ label, placeholder, value, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus())
  const intoTable = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    document.querySelector<HTMLElement>('[role="grid"] tr[tabindex="0"]')?.focus()
  }
  return (
    <InputGroup
      className="toolbar-search"
      type="search"
      leftIcon={<SearchIcon />}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      inputRef={box}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={intoTable}
      rightElement={<kbd className="kbd">/</kbd>}
    />
  )
}
