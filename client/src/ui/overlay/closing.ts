/** True while an overlay fades out: Blueprint keeps it in the document until the transition ends. */
export const isClosing = (overlay: Element) => overlay.closest('[class*="-exit"]') !== null
