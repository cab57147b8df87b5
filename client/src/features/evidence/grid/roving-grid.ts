import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Wait before focus moves to the neighbour of a deleted card: the confirmation dialog first returns focus to
 * the card, at the end of its closing transition.
 */
const FOCUS_SETTLED_MS = 300

/**
 * Roving tabindex for the cards: one card is in the tab order, remembered by id because files come and go.
 * Columns are read from the computed style, as only the browser knows how many fit.
 */
export function useRovingGrid(container: RefObject<HTMLElement | null>, ids: readonly number[]) {
  const [current, setCurrent] = useState<number>()
  const index = current === undefined ? -1 : ids.indexOf(current)

  const focus = (to: number) => {
    const id = ids[Math.min(Math.max(to, 0), ids.length - 1)]
    container.current?.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus()
  }
  const lastIndex = useRef(index)
  useEffect(() => {
    if (index >= 0) lastIndex.current = index
    if (index >= 0 || current === undefined) return
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) focus(lastIndex.current)
    }, FOCUS_SETTLED_MS)
    return () => clearTimeout(timer)
  })
  return {
    inTabOrder: index < 0 ? ids[0] : current,
    onFocus: (target: EventTarget) => {
      const card = (target as Element).closest<HTMLElement>('[data-card]')
      if (card) setCurrent(Number(card.dataset.card))
    },
    /** True when the key moved the focus. */
    move: (event: KeyboardEvent) => {
      const columns = columnsOf(container.current)
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
      const target = step === undefined ? { Home: 0, End: ids.length - 1 }[event.key] : index + step
      if (target === undefined) return false
      event.preventDefault()
      if (target >= 0 && target < ids.length) focus(target)
      return true
    },
  }
}

const columnsOf = (grid: HTMLElement | null) =>
  Math.max(1, grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1)
