import { type RefObject, useEffect, useRef, useState } from 'react'

/** Where the cursor was in each table, so that coming back to a list finds it again. */
const remembered = new Map<string, number>()

/** The cursor of a table is moved from elsewhere: whoever comes back finds it there. */
export const rememberRow = (table: string, id: number) => remembered.set(table, id)

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
  onMove?: (row: Row) => void,
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
  const isInside = () => container.current?.contains(document.activeElement) ?? false
  const lastSeen = useRef<{ rows: readonly Row[]; place: number }>(undefined)
  const isTurning = useRef(false)
  useEffect(() => {
    const before = lastSeen.current
    if (place >= 0) lastSeen.current = { rows, place }
    if (place >= 0 || !before || rows.length === 0) return
    const isOtherPage = !before.rows.some(({ id }) => rows.some((row) => row.id === id))
    const isLost = () => document.activeElement === document.body
    if (isOtherPage) {
      if (isTurning.current && isLost()) focus(0)
      isTurning.current = false
      return
    }
    const timer = setTimeout(() => {
      if (isLost()) focus(before.place)
    }, FOCUS_SETTLED_MS)
    return () => clearTimeout(timer)
  })
  const isCurrent = ({ id }: Row) => id === (place < 0 ? rows[0]?.id : current)

  return {
    /** From outside the table the first step lands on the remembered row. */
    step: (by: number, isMeant = isInside()) => focus(place < 0 ? 0 : isMeant ? place + by : place),
    /** Back to the row of the cursor. */
    focusCurrent: () => focus(Math.max(0, place)),
    first: () => focus(0),
    last: () => focus(rows.length - 1),
    /** Steps, and answers the rows it passed. */
    stepThrough: (by: number): readonly Row[] => {
      const target = place + by
      focus(target)
      return rows.slice(Math.max(0, Math.min(place, target)), Math.max(place, target) + 1)
    },
    /** The page is being turned from a row: the cursor goes on in the new one. */
    preparePageChange: () => {
      isTurning.current = isInside()
    },
    isCurrent,
    rowProps: (row: Row) => ({
      'data-row': row.id,
      tabIndex: isCurrent(row) ? 0 : -1,
      onFocus: () => {
        setCurrent(row.id)
        onMove?.(row)
      },
    }),
  }
}
