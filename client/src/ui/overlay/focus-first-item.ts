/**
 * For a popover's onOpening: focuses the first item of the menu. The menu is not positioned yet and still at
 * the top of the page, which must not scroll there.
 */
export const focusFirstItem = (popup: HTMLElement) =>
  popup.querySelector<HTMLElement>('.bp6-menu-item')?.focus({ preventScroll: true })
