/** How long an overlay fades in and out, in ms, as in overlays.css. */
export const FADE_MS = 100

/** True while an overlay fades out: Blueprint keeps it in the document until the transition ends. */
export const isClosing = (overlay: Element) => overlay.closest('[class*="-exit"]') !== null
