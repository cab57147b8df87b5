import { useSyncExternalStore } from 'react'

/** Open state of an overlay in the shell that is opened from many places. */
export function createOpenState() {
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
  return {
    open: () => set(true),
    close: () => set(false),
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  }
}

export const helpSheet = createOpenState()
export const palette = createOpenState()
