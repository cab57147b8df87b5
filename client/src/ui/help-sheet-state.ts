import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()
const set = (next: boolean) => {
  isOpen = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The help sheet hangs at the shell and is opened from many places. */
export const openHelp = () => set(true)
export const closeHelp = () => set(false)
export const useHelp = () => useSyncExternalStore(subscribe, () => isOpen)
