import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/**
 * Rows between two ids, both included, in page order; only the last one when the first is not on the page.
 */
export function rowsBetween<Row extends { id: number }>(rows: readonly Row[], from: number, to: number) {
  const start = rows.findIndex(({ id }) => id === from)
  const end = rows.findIndex(({ id }) => id === to)
  if (end < 0) return []
  return start < 0 ? rows.slice(end, end + 1) : rows.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** Replaces selected rows by their current version on the page, as they may have changed since. */
export const withCurrentRows = <Row extends { id: number }>(chosen: Iterable<Row>, shown: readonly Row[]) =>
  [...chosen].map((row) => shown.find(({ id }) => id === row.id) ?? row)

/** Selection by history entry, restored by Back. */
const selectionsByLocation = new Map<string, { about: string; chosen: Map<number, unknown> }>()
/** Called when the session changes, so that no data of the previous user stay in memory. */
export const clearSelections = () => selectionsByLocation.clear()

export type RowSelection<Row extends { id: number }> = ReturnType<typeof useRowSelection<Row>>

/**
 * Selected rows, kept across pages. `about` identifies the list; another list starts empty. Whole rows are
 * kept, not ids, because the available actions also depend on rows of other pages.
 */
export function useRowSelection<Row extends { id: number }>(about: string, shown: readonly Row[]) {
  const step = useLocation({ select: ({ state: { __TSR_key } }) => __TSR_key ?? '' })
  const [state, setState] = useState(() => {
    const before = selectionsByLocation.get(step)
    const isSame = before?.about === about
    return { about, chosen: (isSame ? before.chosen : new Map()) as Map<number, Row> }
  })
  useEffect(() => void selectionsByLocation.set(step, state), [step, state])
  const anchor = useRef<number>(undefined)
  if (state.about !== about) setState({ about, chosen: new Map() })
  const { chosen } = state

  const set = (rows: Iterable<Row>) =>
    setState({ about, chosen: new Map([...rows].map((row) => [row.id, row])) })
  const has = ({ id }: Row) => chosen.has(id)
  const add = (rows: readonly Row[]) => set([...chosen.values(), ...rows])
  return {
    rows: withCurrentRows(chosen.values(), shown),
    has,
    add,
    toggle: (row: Row) => {
      anchor.current = row.id
      if (has(row)) set([...chosen.values()].filter(({ id }) => id !== row.id))
      else add([row])
    },
    /** Selects from the row toggled last to this one. */
    extendTo: (row: Row, page: readonly Row[]) => {
      add(rowsBetween(page, anchor.current ?? row.id, row.id))
      anchor.current = row.id
    },
    /** Selects the whole page, or deselects it when all of it is selected. */
    togglePage: (page: readonly Row[]) => {
      if (!page.every(has)) add(page)
      else set([...chosen.values()].filter(({ id }) => !page.some((row) => row.id === id)))
    },
    drop: (ids: readonly number[]) => set([...chosen.values()].filter(({ id }) => !ids.includes(id))),
    clear: () => set([]),
  }
}
