/**
 * Pressing a button of a form must not blur the field first: the error line that blur brings would move
 * the button away under the pointer, and the click would be lost. Keyboard focus is not touched.
 */
export function keepFormsSteady() {
  document.addEventListener('mousedown', (event) => {
    const isButton = (event.target as Element).closest(':is(form, [role="dialog"]) :is(button, [role="tab"])')
    if (isButton) event.preventDefault()
  })
}
