type Press = Pick<KeyboardEvent, 'key' | 'repeat' | 'target' | 'preventDefault' | 'stopPropagation'>

const MANY_LINES = 'textarea, [contenteditable=""], [contenteditable="true"]'
const isText = (target: EventTarget | null) =>
  target !== null && 'matches' in target && (target as Element).matches(MANY_LINES)
const isActivationKey = (key: string) => key === 'Enter' || key === ' '

/** Target of the keydown of each pressed key; null once a handler has consumed it. */
const keyDownTargets = new Map<string, EventTarget | null>()

/** Marks a key as handled on keydown, so that its keyup does not activate the button focused by then. */
export const consumeKey = (key: string) => void keyDownTargets.set(key, null)

/**
 * Enter and Space activate once, and only the element focused on keydown. Blueprint buttons activate on
 * keyup, even when the keydown happened elsewhere, such as in a form closed in between. Links and forms would
 * activate repeatedly while Enter is pressed.
 */
export function keyDown(event: Press) {
  const { key, repeat, target } = event
  if (!repeat) return void keyDownTargets.set(key, target)
  if (key !== 'Enter' || isText(target)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Stops the keyup of Enter or Space when its keydown was on another element or was consumed. */
export function keyUp(event: Press) {
  const { key, target } = event
  const isElsewhere = keyDownTargets.get(key) !== target
  keyDownTargets.delete(key)
  if (isActivationKey(key) && isElsewhere) event.stopPropagation()
}

/** Registers both handlers in the capture phase, before any other. */
export function watchKeys() {
  document.addEventListener('keydown', keyDown, { capture: true })
  document.addEventListener('keyup', keyUp, { capture: true })
}
