import { useSyncExternalStore } from 'react'

export type Theme = 'dark' | 'light'
const KEY = 'theme'
const listeners = new Set<() => void>()

const current = (): Theme => (document.documentElement.classList.contains('bp6-dark') ? 'dark' : 'light')

/** The class is set on <html>, so that dialogs and toasts, which are rendered under <body>, inherit it. */
export function setTheme(theme: Theme) {
  localStorage.setItem(KEY, theme)
  document.documentElement.classList.toggle('bp6-dark', theme === 'dark')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** The current theme as React state. */
export const useTheme = () => useSyncExternalStore(subscribe, current)
