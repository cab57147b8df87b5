const IN_FORM = ':is(form, [role="dialog"], .auth-card)'
const TOGGLE = ':is([type="checkbox"], [type="radio"])'
const PRESSED = `${IN_FORM} :is(button, [role="tab"], a, ${TOGGLE}, label:has(${TOGGLE}))`

/**
 * Keeps a mousedown on a form's button from blurring the field: the error line shown on blur would move the
 * button away under the pointer, and the click would be lost. The same applies to checkboxes and radios,
 * which get the focus after the click instead. Keyboard focus is not affected.
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
