import { useSyncExternalStore } from 'react'

/** Same breakpoint as in the style sheets: below it rows are cards. */
const NARROW = matchMedia('(max-width: 767px)')
const watchWidth = (listener: () => void) => {
  NARROW.addEventListener('change', listener)
  return () => NARROW.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = () => useSyncExternalStore(watchWidth, () => NARROW.matches)
