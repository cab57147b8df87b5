import { type KeyboardEvent, useRef } from 'react'
import type { useRovingRows } from './roving-rows.ts'
import type { RowSelection } from './row-selection.ts'

/** «g d» leads to another screen; its second letter is none of the row's. */
const SEQUENCE_MS = 1_000

interface Options<Row extends { id: number }> {
  rows: readonly Row[]
  cursor: ReturnType<typeof useRovingRows<Row>>
  selection: RowSelection<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  rowKeys: Record<string, (row: Row) => void> | undefined
}

/** The keys of the row that has the cursor. */
export function useRowKeys<Row extends { id: number }>(options: Options<Row>) {
  const { rows, cursor, selection, onOpen, rowKeys } = options
  const sequenceBegan = useRef(Number.NEGATIVE_INFINITY)

  const deedOf = (row: Row, { key, shiftKey }: KeyboardEvent) => {
    const letter = key.toLowerCase()
    if (key === 'Enter' || letter === 'o') return () => onOpen?.(row)
    if (selection && letter === 'x')
      return () => (shiftKey ? selection.extendTo(row, rows) : selection.toggle(row))
    if (selection && key === ' ') return () => selection.toggle(row)
    const deed = rowKeys?.[letter]
    return deed && (() => deed(row))
  }

  return (row: Row) => (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const isSecondKey = event.timeStamp - sequenceBegan.current < SEQUENCE_MS
    sequenceBegan.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    if (isSecondKey) return
    const deed = deedOf(row, event)
    if (deed) {
      event.preventDefault()
      deed()
      return
    }
    const passed = cursor.onKeyDown(event)
    if (passed.length > 0) selection?.add(passed)
  }
}
