/** What a keyboard event must tell to be read; the real one does. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'getModifierState'
>

const isMac = () => typeof navigator !== 'undefined' && /\bMac/.test(navigator.userAgent)
/** Keys that say nothing by themselves: modifiers, and what an accent or an input method is still waiting for. */
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
 * A key press in the words of a shortcut: «j», «shift+x», «mod+k», «alt+1», «space». The character counts, not
 * its place on the board: on ABNT2 the slash has a key of its own, elsewhere it is Shift and 7 or AltGr and Q.
 */
export function strokeOf(press: KeyPress): string | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press
  if (press.isComposing || IGNORED_KEYS.includes(key)) return null
  const isDigitWithAlt = altKey && !ctrlKey && /^Digit\d$/.test(code)
  const name = isDigitWithAlt ? code.slice(-1) : key === ' ' ? 'space' : key.toLowerCase()
  // AltGr, which some systems call Ctrl and Alt at once, only reaches the character.
  const isAltGr = !isDigitWithAlt && [...key].length === 1 && press.getModifierState('AltGraph')
  const hasMod = (isMac() ? metaKey : ctrlKey) && !isAltGr
  const hasOther = (isMac() ? ctrlKey : metaKey) && !isAltGr
  if (hasOther) return null
  const isSign = name.length === 1 && !isLetter(name)
  return [hasMod && 'mod', altKey && !isAltGr && 'alt', shiftKey && !isSign && 'shift', name]
    .filter(Boolean)
    .join('+')
}

/** Single characters, sequences of them and capitals: what a voice or a resting hand may type by accident. */
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

/** A stroke as a keyboard shows it: «Ctrl+K», «Shift+X»; alone a letter stays small. */
export function strokeLabel(stroke: string) {
  const parts = stroke.split(/\+(?=.)/)
  return parts.length === 1
    ? nameOf(stroke)
    : parts.map((part) => (isLetter(part) ? part.toUpperCase() : nameOf(part))).join('+')
}
/** The strokes of a shortcut, one after the other: «g d» has two. */
export const strokeLabels = (keys: string) => keys.split(' ').map(strokeLabel)
