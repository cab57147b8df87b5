import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** Where the cursor was in each table, so that coming back to a list finds it again. */
const remembered = new Map<string, number>()

/** A dialog that asked about the row gives the focus back at the end of its closing, when the row may be gone. */
const FOCUS_SETTLED_MS = 300

/**
 * One row at a time is in the tab order, and it is remembered by id: when the list changes under the
 * person's hands, the cursor stays on the same order, not on the same line. A row that goes away leaves
 * the cursor to its neighbour.
 */
export function useRovingRows<Row extends { id: number }>(
  table: string,
  container: RefObject<HTMLElement | null>,
  rows: readonly Row[],
) {
  const [current, setState] = useState(() => remembered.get(table))
  const setCurrent = (id: number) => {
    remembered.set(table, id)
    setState(id)
  }
  const place = rows.findIndex(({ id }) => id === current)

  const focus = (to: number) => {
    const row = rows[Math.min(Math.max(to, 0), rows.length - 1)]
    if (!row) return
    setCurrent(row.id)
    container.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus()
  }
  const lastSeen = useRef<{ rows: readonly Row[]; place: number }>(undefined)
  useEffect(() => {
    const before = lastSeen.current
    if (place >= 0) lastSeen.current = { rows, place }
    if (place >= 0 || !before) return
    const isOtherPage = !before.rows.some(({ id }) => rows.some((row) => row.id === id))
    if (isOtherPage) return
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) focus(before.place)
    }, FOCUS_SETTLED_MS)
    return () => clearTimeout(timer)
  })
  const isCurrent = ({ id }: Row) => id === (place < 0 ? rows[0]?.id : current)
  const isInside = () => container.current?.contains(document.activeElement) ?? false
  const targetOf = ({ key, shiftKey }: KeyboardEvent) =>
    ({ ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 })[key] ??
    (shiftKey ? { j: place + 1, k: place - 1 }[key.toLowerCase()] : undefined)

  return {
    /** From outside the table the first step lands on the remembered row. */
    step: (by: number) => focus(place < 0 ? 0 : isInside() ? place + by : place),
    isCurrent,
    rowProps: (row: Row) => ({
      'data-row': row.id,
      tabIndex: isCurrent(row) ? 0 : -1,
      onFocus: () => setCurrent(row.id),
    }),
    /** Moves, and answers the rows it passed when Shift drew a range. */
    onKeyDown: (event: KeyboardEvent): readonly Row[] => {
      const target = targetOf(event)
      if (target === undefined) return []
      event.preventDefault()
      focus(target)
      return event.shiftKey
        ? rows.slice(Math.max(0, Math.min(place, target)), Math.max(place, target) + 1)
        : []
    },
  }
}
