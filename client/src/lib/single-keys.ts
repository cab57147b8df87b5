import { useSyncExternalStore } from 'react'

/** Whether single letters are shortcuts: a setting per user and device. */
const keyOf = (person: number) => `single_keys:${person}`
const listeners = new Set<() => void>()

/** True unless the user has switched them off. */
export const areSingleKeysOn = (person: number) => localStorage.getItem(keyOf(person)) !== 'off'

export function setSingleKeys(person: number, isOn: boolean) {
  if (isOn) localStorage.removeItem(keyOf(person))
  else localStorage.setItem(keyOf(person), 'off')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
/** The setting as React state, updated from other tabs too. */
export const useSingleKeys = (person: number) =>
  useSyncExternalStore(subscribe, () => areSingleKeysOn(person))
