import { useSyncExternalStore } from 'react'

const coarse = window.matchMedia('(pointer: coarse)')
const follow = (tell: () => void) => {
  coarse.addEventListener('change', tell)
  return () => coarse.removeEventListener('change', tell)
}

export const isTouch = () => coarse.matches
/** Whether the person works with a finger: cameras are at hand then, and keys are not. */
export const useIsTouch = () => useSyncExternalStore(follow, isTouch)
