import { useSyncExternalStore } from 'react'
import { useIsTouch } from '../page/pointer.ts'
import { isSingleKey, strokeLabels } from './shortcut-keys.ts'
import { areSingleKeysOn, subscribe } from './shortcut-registry.ts'

/**
 * Returns a function that gives a control its title with the key, «Nova OS (n)», and aria-keyshortcuts. Keys
 * that are switched off are left out, as are all where a finger is the pointer.
 */
export function useKeyHint() {
  const isOn = useSyncExternalStore(subscribe, areSingleKeysOn)
  const isTouch = useIsTouch()
  return (text: string, keys: string) =>
    !isTouch && (isOn || !isSingleKey(keys))
      ? { title: `${text} (${strokeLabels(keys).join(' ')})`, 'aria-keyshortcuts': ariaKeyShortcutsOf(keys) }
      : { title: text }
}
/** In ARIA syntax, which cannot express a sequence of keys. */
const ariaKeyShortcutsOf = (keys: string) =>
  keys.includes(' ') ? undefined : keys.replace('mod', 'Control').replace('space', 'Space')
