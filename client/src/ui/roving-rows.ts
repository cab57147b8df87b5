import { type KeyboardEvent, type RefObject, useState } from 'react'

/** Where the cursor was in each table, so that coming back to a list finds it again. */
const remembered = new Map<string, number>()

/**
 * One row at a time is in the tab order, and it is remembered by id: when the list changes under the
 * person's hands, the cursor stays on the same order, not on the same line.
 */
export function useRovingRows<Row extends { id: number }>(
  table: string,
  container: RefObject<HTMLElement | null>,
  rows: Row[],
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
  const isCurrent = ({ id }: Row) => id === (place < 0 ? rows[0]?.id : current)
  const isInside = () => container.current?.contains(document.activeElement) ?? false

  return {
    /** From outside the table the first step lands on the remembered row. */
    step: (by: number) => focus(place < 0 ? 0 : isInside() ? place + by : place),
    isCurrent,
    rowProps: (row: Row) => ({
      'data-row': row.id,
      tabIndex: isCurrent(row) ? 0 : -1,
      onFocus: () => setCurrent(row.id),
    }),
    onKeyDown: (event: KeyboardEvent) => {
      const target = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[event.key]
      if (target === undefined) return
      event.preventDefault()
      focus(target)
    },
  }
}
