type Press = Pick<KeyboardEvent, 'key' | 'repeat' | 'target' | 'preventDefault' | 'stopPropagation'>

const MANY_LINES = 'textarea, [contenteditable=""], [contenteditable="true"]'
const isText = (target: EventTarget | null) =>
  target !== null && 'matches' in target && (target as Element).matches(MANY_LINES)
const isActivationKey = (key: string) => key === 'Enter' || key === ' '

/** Where each key that is held went down; nowhere once somebody has acted on it. */
const keyDownTargets = new Map<string, EventTarget | null>()

/** Who acts when a key goes down says so, and the button that has the focus by then is not pressed too. */
export const consumeKey = (key: string) => void keyDownTargets.set(key, null)

/**
 * Enter and Space press once, and what had the focus when they went down. A Blueprint button is pressed when the
 * key comes up, also by who pressed it down elsewhere: in the form that has closed since. A link is pressed again
 * and again while Enter is held, and a form is sent.
 */
export function keyDown(event: Press) {
  const { key, repeat, target } = event
  if (!repeat) return void keyDownTargets.set(key, target)
  if (key !== 'Enter' || isText(target)) return
  event.preventDefault()
  event.stopPropagation()
}

export function keyUp(event: Press) {
  const { key, target } = event
  const isElsewhere = keyDownTargets.get(key) !== target
  keyDownTargets.delete(key)
  if (isActivationKey(key) && isElsewhere) event.stopPropagation()
}

/** Before anybody else hears of a key. */
export function watchKeys() {
  document.addEventListener('keydown', keyDown, { capture: true })
  document.addEventListener('keyup', keyUp, { capture: true })
}
