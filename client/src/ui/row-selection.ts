import { useRef, useState } from 'react'

/** The rows from one to another, both included, as the page shows them; where the first is gone, the last alone. */
export function rowsBetween<Row extends { id: number }>(rows: readonly Row[], from: number, to: number) {
  const start = rows.findIndex(({ id }) => id === from)
  const end = rows.findIndex(({ id }) => id === to)
  if (end < 0) return []
  return start < 0 ? rows.slice(end, end + 1) : rows.slice(Math.min(start, end), Math.max(start, end) + 1)
}

export type RowSelection<Row extends { id: number }> = ReturnType<typeof useRowSelection<Row>>

/**
 * Chosen rows, kept while pages are turned; `about` says of which list they are part, and another list
 * begins with none. Whole rows, not ids, because what may be done with them is asked of rows out of sight.
 */
export function useRowSelection<Row extends { id: number }>(about: string) {
  const [state, setState] = useState({ about, chosen: new Map<number, Row>() })
  const anchor = useRef<number>(undefined)
  if (state.about !== about) setState({ about, chosen: new Map() })
  const { chosen } = state

  const set = (rows: Iterable<Row>) =>
    setState({ about, chosen: new Map([...rows].map((row) => [row.id, row])) })
  const has = ({ id }: Row) => chosen.has(id)
  const add = (rows: readonly Row[]) => set([...chosen.values(), ...rows])
  return {
    rows: [...chosen.values()],
    has,
    add,
    toggle: (row: Row) => {
      anchor.current = row.id
      if (has(row)) set([...chosen.values()].filter(({ id }) => id !== row.id))
      else add([row])
    },
    /** From the row toggled last to this one. */
    extendTo: (row: Row, page: readonly Row[]) => {
      add(rowsBetween(page, anchor.current ?? row.id, row.id))
      anchor.current = row.id
    },
    /** The whole page, or none of it when all of it is chosen. */
    togglePage: (page: readonly Row[]) => {
      if (!page.every(has)) add(page)
      else set([...chosen.values()].filter(({ id }) => !page.some((row) => row.id === id)))
    },
    drop: (ids: readonly number[]) => set([...chosen.values()].filter(({ id }) => !ids.includes(id))),
    clear: () => set([]),
  }
}
