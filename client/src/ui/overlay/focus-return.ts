/** A row or card that is asked for a second time gives the focus to its neighbour by itself, in this time. */
const SETTLED_MS = 400
const ANCHOR_ATTRIBUTES = ['data-row', 'data-card']

const takes = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement &&
  element !== document.body &&
  element.isConnected &&
  element.checkVisibility() &&
  !element.matches(':disabled')
const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** Where an element stands, in a word that outlives it: the row of order 12. */
function anchorSelectorOf(element: Element) {
  for (const name of ANCHOR_ATTRIBUTES) {
    const id = element.closest(`[${name}]`)?.getAttribute(name)
    if (id) return `[${name}="${id}"]`
  }
  return null
}

/** A focus that has fallen to nothing goes to the screen. */
function focusMainIfLost() {
  if (document.activeElement !== document.body) return
  document.querySelector('main')?.focus({ preventScroll: true })
}

/** The ref of what goes away when its own button is pressed: the screen takes the focus before it is nowhere. */
export const focusMainOnUnmount = (place: HTMLElement | null) => () => {
  if (!place?.contains(document.activeElement)) return
  setTimeout(focusMainIfLost)
}

/**
 * Keeps in mind what has the focus and answers the way back. What was drawn anew meanwhile is known by its
 * words and its row; what is gone gives the focus to its row, or else the screen takes it.
 */
export function captureFocus(): () => void {
  const element = document.activeElement
  if (!element || element === document.body) return () => {}
  const { tagName } = element
  const name = nameOf(element)
  const home = anchorSelectorOf(element)
  const twin = () =>
    [...document.querySelectorAll(home ? `${home} ${tagName}` : tagName)].find(
      (one) => takes(one) && nameOf(one) === name,
    )
  return () => {
    const target = [() => element, twin, () => home && document.querySelector(home)]
      .map((find) => find())
      .find((one) => takes(one || null))
    if (takes(target || null)) return (target as HTMLElement).focus()
    setTimeout(focusMainIfLost, SETTLED_MS)
  }
}
