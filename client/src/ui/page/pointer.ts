import { useSyncExternalStore } from 'react'

const coarse = window.matchMedia('(pointer: coarse)')
const follow = (tell: () => void) => {
  coarse.addEventListener('change', tell)
  return () => coarse.removeEventListener('change', tell)
}

/** True when the primary pointer is a finger. */
export const isTouch = () => coarse.matches
/** Whether the primary pointer is a finger: a camera is likely then, and a keyboard is not. */
export const useIsTouch = () => useSyncExternalStore(follow, isTouch)
