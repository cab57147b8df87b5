/** Blueprint leaves a dialog or a menu in the document while it fades. */
export const isClosing = (overlay: Element) => overlay.closest('[class*="-exit"]') !== null
