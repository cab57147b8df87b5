/** The part of KeyboardEvent needed here, so that tests can fake it. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'getModifierState'
>

const isMac = () => typeof navigator !== 'undefined' && /\bMac/.test(navigator.userAgent)
/** Keys without a stroke of their own: modifiers, dead keys and input methods. */
const IGNORED_KEYS = [
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
  'Compose',
]
export const isModifier = ({ key }: Pick<KeyPress, 'key'>) => IGNORED_KEYS.slice(0, 6).includes(key)

const isLetter = (name: string) => name.length === 1 && name.toLowerCase() !== name.toUpperCase()

/**
 * The stroke of a key press: «j», «shift+x», «mod+k», «alt+1», «space»; null for none. The character counts,
 * not the physical key: ABNT2 has a key for the slash, other layouts Shift+7 or AltGr+Q.
 */
export function strokeOf(press: KeyPress): string | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press
  if (press.isComposing || IGNORED_KEYS.includes(key)) return null
  const isDigitWithAlt = altKey && !ctrlKey && /^Digit\d$/.test(code)
  const name = isDigitWithAlt ? code.slice(-1) : key === ' ' ? 'space' : key.toLowerCase()
  // AltGr, which some systems report as Ctrl+Alt, only selects the character.
  const isAltGr = !isDigitWithAlt && [...key].length === 1 && press.getModifierState('AltGraph')
  const hasMod = (isMac() ? metaKey : ctrlKey) && !isAltGr
  const hasOther = (isMac() ? ctrlKey : metaKey) && !isAltGr
  if (hasOther) return null
  const isSign = name.length === 1 && !isLetter(name)
  return [hasMod && 'mod', altKey && !isAltGr && 'alt', shiftKey && !isSign && 'shift', name]
    .filter(Boolean)
    .join('+')
}

/**
 * Single characters, their sequences, and capitals: keys that speech input or a resting hand may trigger by
 * accident.
 */
export const isSingleKey = (keys: string) =>
  keys.split(' ').every((stroke) => [...stroke.replace(/^shift\+/, '')].length === 1)

const KEY_LABEL: Record<string, string> = {
  alt: 'Alt',
  shift: 'Shift',
  space: 'Espaço',
  enter: 'Enter',
  escape: 'Esc',
  delete: 'Del',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}
const nameOf = (key: string) =>
  key === 'mod' ? (isMac() ? '⌘' : 'Ctrl') : (KEY_LABEL[key] ?? (key.length === 1 ? key : key.toUpperCase()))

/** A stroke as printed on a keyboard: «Ctrl+K», «Shift+X»; a single letter stays lower case. */
export function strokeLabel(stroke: string) {
  const parts = stroke.split(/\+(?=.)/)
  return parts.length === 1
    ? nameOf(stroke)
    : parts.map((part) => (isLetter(part) ? part.toUpperCase() : nameOf(part))).join('+')
}
/** The strokes of a shortcut in order: «g d» has two. */
export const strokeLabels = (keys: string) => keys.split(' ').map(strokeLabel)
