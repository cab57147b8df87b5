import { Classes } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { KeyCap } from '../keys/key-cap.tsx'
import { useShortcut } from '../keys/shortcut.ts'

interface Props {
  label: string
  placeholder: string
  value: string
  /** The rows for this text have not loaded yet. */
  isPending: boolean
  onChange: (text: string) => void
}

/** Search field of a list: «/» focuses it; Enter or arrow down moves to the rows once they match the text. */
export function SearchBox({ label, placeholder, value, isPending, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const [isFocusPending, setIsFocusPending] = useState(false)
  useShortcut('/', () => box.current?.focus(), { label, scope: 'table' })
  useEffect(() => {
    if (!isFocusPending || isPending) return
    setIsFocusPending(false)
    document.querySelector<HTMLElement>('[role="grid"] tr[tabindex="0"]')?.focus()
  }, [isFocusPending, isPending])
  const intoTable = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    setIsFocusPending(true)
  }
  return (
    // Blueprint's InputGroup would lay out the page as it appears, to measure the key on its right.
    <div className={`${Classes.INPUT_GROUP} toolbar-search`}>
      <SearchIcon />
      <input
        className={Classes.INPUT}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        ref={box}
        onChange={(event) => {
          setIsFocusPending(false)
          onChange(event.currentTarget.value)
        }}
        onBlur={() => setIsFocusPending(false)}
        onKeyDown={intoTable}
      />
      <span className={Classes.INPUT_ACTION}>
        <KeyCap keys="/" />
      </span>
    </div>
  )
}
