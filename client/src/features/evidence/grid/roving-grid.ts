import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/**
 * The card under the cursor was deleted: its neighbour takes over, or the keyboard falls back to the page.
 * The dialog that asked gives the focus back to the card first, at the end of its closing.
 */
const FOCUS_SETTLED_MS = 300

/**
 * One card at a time is in the tab order, and it is remembered by id: files may come and go under the
 * person's hands. The columns are read from the screen, because only the browser knows how many fit.
 */
export function useRovingGrid(container: RefObject<HTMLElement | null>, ids: readonly number[]) {
  const [current, setCurrent] = useState<number>()
  const place = current === undefined ? -1 : ids.indexOf(current)

  const focus = (to: number) => {
    const id = ids[Math.min(Math.max(to, 0), ids.length - 1)]
    container.current?.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus()
  }
  const lastPlace = useRef(place)
  useEffect(() => {
    if (place >= 0) lastPlace.current = place
    if (place >= 0 || current === undefined) return
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) focus(lastPlace.current)
    }, FOCUS_SETTLED_MS)
    return () => clearTimeout(timer)
  })
  return {
    inTabOrder: place < 0 ? ids[0] : current,
    onFocus: (target: EventTarget) => {
      const card = (target as Element).closest<HTMLElement>('[data-card]')
      if (card) setCurrent(Number(card.dataset.card))
    },
    /** True when the key moved the focus. */
    move: (event: KeyboardEvent) => {
      const columns = columnsOf(container.current)
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
      const target = step === undefined ? { Home: 0, End: ids.length - 1 }[event.key] : place + step
      if (target === undefined) return false
      event.preventDefault()
      if (target >= 0 && target < ids.length) focus(target)
      return true
    },
  }
}

const columnsOf = (grid: HTMLElement | null) =>
  Math.max(1, grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1)
