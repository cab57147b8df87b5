import { type RefObject, useEffect, useRef, useState } from 'react'

/** Cursor row by table, restored when a list is opened again. */
const remembered = new Map<string, number>()

/** Sets a table's cursor from outside, for when the list is opened again. */
export const rememberRow = (table: string, id: number) => remembered.set(table, id)

/**
 * Wait for a confirmation dialog to return the focus at the end of its closing transition; the row may be
 * gone by then.
 */
const FOCUS_SETTLED_MS = 300

/** Where the row is that stood next after the cursor's, or else before it, and has not left the list with it. */
function neighbourIndex<Row extends { id: number }>(
  before: { rows: readonly Row[]; index: number },
  rows: readonly Row[],
) {
  const indexOf = ({ id }: Row) => rows.findIndex((row) => row.id === id)
  const stays = (row: Row) => indexOf(row) >= 0
  const neighbour =
    before.rows.slice(before.index).find(stays) ?? before.rows.slice(0, before.index).findLast(stays)
  return neighbour ? indexOf(neighbour) : before.index
}

/**
 * Roving tabindex for table rows: one row is in the tab order, remembered by id, so that the cursor stays on
 * the same record when the list changes. When that row is removed, the cursor moves to its neighbour.
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
  const index = rows.findIndex(({ id }) => id === current)

  const focus = (to: number) => {
    const row = rows[Math.min(Math.max(to, 0), rows.length - 1)]
    if (!row) return
    setCurrent(row.id)
    container.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.focus()
  }
  const isInside = () => container.current?.contains(document.activeElement) ?? false
  const lastSeen = useRef<{ rows: readonly Row[]; index: number }>(undefined)
  const isTurning = useRef(false)
  useEffect(() => {
    const before = lastSeen.current
    if (index >= 0) lastSeen.current = { rows, index }
    if (index >= 0 || !before || rows.length === 0) return
    const isOtherPage = !before.rows.some(({ id }) => rows.some((row) => row.id === id))
    const isLost = () => document.activeElement === document.body
    if (isOtherPage) {
      if (isTurning.current && isLost()) focus(0)
      isTurning.current = false
      return
    }
    const timer = setTimeout(() => {
      if (isLost()) focus(neighbourIndex(before, rows))
    }, FOCUS_SETTLED_MS)
    return () => clearTimeout(timer)
  })
  const isCurrent = ({ id }: Row) => id === (index < 0 ? rows[0]?.id : current)

  return {
    /** From outside the table the first step lands on the remembered row. */
    step: (by: number, isOnRow = isInside()) => focus(index < 0 ? 0 : isOnRow ? index + by : index),
    /** Returns the focus to the cursor's row. */
    focusCurrent: () => focus(Math.max(0, index)),
    first: () => focus(0),
    last: () => focus(rows.length - 1),
    /** Moves the cursor and returns the rows it passed, both ends included. */
    stepThrough: (by: number): readonly Row[] => {
      const target = index + by
      focus(target)
      return rows.slice(Math.max(0, Math.min(index, target)), Math.max(index, target) + 1)
    },
    /** Call before turning a page: the cursor continues on the new page if a row has the focus. */
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
