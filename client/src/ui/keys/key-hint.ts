import { useSyncExternalStore } from 'react'
import { isSingleKey, strokeLabels } from './shortcut-keys.ts'
import { areSingleKeysOn, subscribe } from './shortcut-registry.ts'

/**
 * What a control says of its key: «Nova OS (n)» in its title, and the key to a screen reader. Keys that are
 * switched off are not told.
 */
export function useKeyHint() {
  const isOn = useSyncExternalStore(subscribe, areSingleKeysOn)
  return (text: string, keys: string) =>
    isOn || !isSingleKey(keys)
      ? { title: `${text} (${strokeLabels(keys).join(' ')})`, 'aria-keyshortcuts': ariaKeyShortcutsOf(keys) }
      : { title: text }
}
/** As ARIA spells them; it has no word for one key after another. */
const ariaKeyShortcutsOf = (keys: string) =>
  keys.includes(' ') ? undefined : keys.replace('mod', 'Control').replace('space', 'Space')
