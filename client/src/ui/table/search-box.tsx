import { InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useShortcut } from '../keys/shortcut.ts'

interface Props {
  label: string
  placeholder: string
  value: string
  /** The rows that the text asks for are not there yet. */
  isSettling: boolean
  onChange: (text: string) => void
}

/** The search of a list: «/» comes here, Enter or the down arrow goes on into the rows, once they are those sought. */
export function SearchBox({ label, placeholder, value, isSettling, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const [isBound, setIsBound] = useState(false)
  useShortcut('/', () => box.current?.focus(), { words: label, place: 'table' })
  useEffect(() => {
    if (!isBound || isSettling) return
    setIsBound(false)
    document.querySelector<HTMLElement>('[role="grid"] tr[tabindex="0"]')?.focus()
  }, [isBound, isSettling])
  const intoTable = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    event.preventDefault()
    setIsBound(true)
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
      onChange={(event) => {
        setIsBound(false)
        onChange(event.currentTarget.value)
      }}
      onBlur={() => setIsBound(false)}
      onKeyDown={intoTable}
      rightElement={<kbd className="kbd">/</kbd>}
    />
  )
}
