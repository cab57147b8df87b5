const IN_FORM = ':is(form, [role="dialog"])'
const TOGGLE = ':is([type="checkbox"], [type="radio"])'
const PRESSED = `${IN_FORM} :is(button, [role="tab"], a, ${TOGGLE}, label:has(${TOGGLE}))`

/**
 * Pressing a button of a form must not blur the field first: the error line that blur brings would move
 * the button away under the pointer, and the click would be lost. The same for a box to be ticked, which
 * takes the focus once it is ticked. Keyboard focus is not touched.
 */
export function preventFormBlur() {
  document.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest(PRESSED)) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    const ticked = (event.target as Element).closest<HTMLElement>(`${IN_FORM} ${TOGGLE}`)
    ticked?.focus({ preventScroll: true })
  })
}
