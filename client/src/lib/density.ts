import { useSyncExternalStore } from 'react'

/** Whether rows of lists are compact: a setting per user and device. */
const keyOf = (person: number) => `density:${person}`
const listeners = new Set<() => void>()

const isCompact = (person: number) => localStorage.getItem(keyOf(person)) === 'compact'

export function setCompact(person: number, isOn: boolean) {
  if (isOn) localStorage.setItem(keyOf(person), 'compact')
  else localStorage.removeItem(keyOf(person))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** The setting as React state. */
export const useCompact = (person: number) => useSyncExternalStore(subscribe, () => isCompact(person))
