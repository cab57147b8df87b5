import { useSyncExternalStore } from 'react'
import { useIsTouch } from '../page/pointer.ts'
import { isSingleKey, strokeLabels } from './shortcut-keys.ts'
import { areSingleKeysOn, subscribe } from './shortcut-registry.ts'

/**
 * Returns a function that gives a control its title with the key, «Nova OS (n)», and aria-keyshortcuts. Keys
 * that are switched off are left out, as are all where a finger is the pointer.
 */
export function useKeyHint() {
  const showsKey = useShowsKey()
  return (text: string, keys: string) =>
    showsKey(keys)
      ? { title: `${text} (${strokeLabels(keys).join(' ')})`, 'aria-keyshortcuts': ariaKeyShortcutsOf(keys) }
      : { title: text }
}
/** Returns a function that says whether these keys are to be shown: they work, and there is a keyboard. */
export function useShowsKey() {
  const isOn = useSyncExternalStore(subscribe, areSingleKeysOn)
  const isTouch = useIsTouch()
  return (keys: string) => !isTouch && (isOn || !isSingleKey(keys))
}
/** In ARIA syntax, which cannot express a sequence of keys. */
const ariaKeyShortcutsOf = (keys: string) =>
  keys.includes(' ')
    ? undefined
    : keys
        .split('+')
        .map(
          (name) =>
            ARIA_NAME[name] ?? (name.length > 1 ? name.charAt(0).toUpperCase() + name.slice(1) : name),
        )
        .join('+')

const ARIA_NAME: Record<string, string> = {
  mod: 'Control',
  arrowdown: 'ArrowDown',
  arrowup: 'ArrowUp',
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
}
