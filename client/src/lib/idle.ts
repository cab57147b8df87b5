import { IDLE_MINUTES } from '@garantia/shared/auth/idle'

let touchedAt = Date.now()
const note = () => {
  touchedAt = Date.now()
}
/** Notes from now on when somebody touches the page. */
export function watchActivity() {
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(event, note, { capture: true, passive: true })
}
/** Whether nobody has touched this page for five minutes, so that its calls are its own. */
export const isIdle = () => Date.now() - touchedAt > IDLE_MINUTES * 60_000
