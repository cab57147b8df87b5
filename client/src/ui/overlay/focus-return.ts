/** Wait until a table row or card has moved its focus to a neighbour by itself. */
const SETTLED_MS = 400
const ANCHOR_ATTRIBUTES = ['data-row', 'data-card']

const canTakeFocus = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement &&
  element !== document.body &&
  element.isConnected &&
  element.checkVisibility() &&
  !element.matches(':disabled')
const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/**
 * Selector for the row or card around an element that still matches after a re-render: the row of order 12.
 */
function anchorSelectorOf(element: Element) {
  for (const name of ANCHOR_ATTRIBUTES) {
    const id = element.closest(`[${name}]`)?.getAttribute(name)
    if (id) return `[${name}="${id}"]`
  }
  return null
}

function focusMainIfLost() {
  if (document.activeElement !== document.body) return
  document.querySelector('main')?.focus({ preventScroll: true })
}

/**
 * Ref for an element that unmounts when its own button is pressed: moves the focus to <main> before it is
 * lost.
 */
export const focusMainOnUnmount = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return
  setTimeout(focusMainIfLost)
}

/**
 * Remembers the focused element and returns a function that restores the focus. A re-rendered element is
 * found by its text and row; if it is gone the focus goes to its row, or else to <main>.
 */
export function captureFocus(): () => void {
  const element = document.activeElement
  if (!element || element === document.body) return () => {}
  const { tagName } = element
  const name = nameOf(element)
  const anchor = anchorSelectorOf(element)
  const findReplacement = () =>
    [...document.querySelectorAll(anchor ? `${anchor} ${tagName}` : tagName)].find(
      (one) => canTakeFocus(one) && nameOf(one) === name,
    )
  return () => {
    const target = [() => element, findReplacement, () => anchor && document.querySelector(anchor)]
      .map((find) => find())
      .find((one) => canTakeFocus(one || null))
    if (canTakeFocus(target || null)) return (target as HTMLElement).focus()
    setTimeout(focusMainIfLost, SETTLED_MS)
  }
}
