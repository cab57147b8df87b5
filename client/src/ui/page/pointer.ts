import { useSyncExternalStore } from 'react'

let query: MediaQueryList | undefined
const coarse = () => (query ??= window.matchMedia('(pointer: coarse)'))
const subscribe = (listener: () => void) => {
  coarse().addEventListener('change', listener)
  return () => coarse().removeEventListener('change', listener)
}

/** True when the primary pointer is a finger. */
export const isTouch = () => coarse().matches
/** Whether the primary pointer is a finger: a camera is likely then, and a keyboard is not. */
export const useIsTouch = () => useSyncExternalStore(subscribe, isTouch)
