import { isClosing } from '../overlay/closing.ts'
import { consumeKey } from './pressed-keys.ts'
import { isModifier, isSingleKey, strokeOf } from './shortcut-keys.ts'

/** Where a shortcut holds, from the nearest to the farthest: the nearest that fits acts. */
export const SCOPES = ['table', 'screen', 'everywhere'] as const
/** Keys of these belong to what has the focus; the registry only tells them. */
export const HELP_ONLY_SCOPES = ['file', 'viewer'] as const
export type ShortcutScope = (typeof SCOPES)[number] | (typeof HELP_ONLY_SCOPES)[number]

export interface Shortcut {
  /** Each of these does it: «j», «mod+s», «g d»; none where only the palette offers it. */
  keys: readonly string[]
  act: () => void
  /** What it does, for the help sheet and the palette. */
  label: string
  scope: ShortcutScope
  /** Ctrl+S and its like work while a field has the focus; single letters never do. */
  worksInFields: boolean
  /** A key held down goes on. */
  mayRepeat: boolean
  /** Whether it holds at this moment, for what has the focus. */
  when: (focused: EventTarget | null) => boolean
  /** The palette offers it too. */
  isInPalette: boolean
  /** The dialog that owns it; null is the page. */
  layer: string | null
  /** It holds whatever is open on top. */
  worksOverDialogs?: boolean
}

const SEQUENCE_MS = 1_500
const FIELDS = 'input, select, textarea, [contenteditable=""], [contenteditable="true"]'
/** A dialog, drawer or menu on top owns the keyboard. Toasts and tooltips are overlays too, but own nothing. */
const OVERLAYS =
  '[role="dialog"], [role="alertdialog"], .bp6-drawer, .bp6-popover:not(.bp6-tooltip):not([role="tooltip"])'

/** Whose focus has left what is closing already works on what is below. */
const isBlocking = (overlay: Element) => !isClosing(overlay) || overlay.contains(document.activeElement)

const ORDER: readonly ShortcutScope[] = [...SCOPES, ...HELP_ONLY_SCOPES]

let shortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()
const changeTo = (next: readonly Shortcut[]) => {
  shortcuts = next
  for (const listener of listeners) listener()
}

export const registered = () => shortcuts
export const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export function register(added: readonly Shortcut[]) {
  changeTo([...shortcuts, ...added])
  return () => changeTo(shortcuts.filter((one) => !added.includes(one)))
}

let singleKeys = true
/** The off switch for keys of one character (WCAG 2.1.4). */
export const areSingleKeysOn = () => singleKeys
export const switchSingleKeys = (isOn: boolean) => {
  singleKeys = isOn
  changeTo(shortcuts)
}

/** The layer on top: null is the page; undefined an overlay whose keys are its own affair. */
function topLayer() {
  const top = [...document.querySelectorAll(OVERLAYS)].findLast(isBlocking)
  return top ? top.querySelector('[data-key-layer]')?.getAttribute('data-key-layer') : null
}

let begun: { stroke: string; at: number } | undefined
let isAccentBegun = false

/** The one listener of the page. */
export function dispatch(event: KeyboardEvent) {
  if (isModifier(event)) return
  // The letter after a dead key is part of the accent.
  const isAccent = isAccentBegun && [...event.key].length === 1
  isAccentBegun = event.key === 'Dead'
  const stroke = strokeOf(event)
  const first = begun && event.timeStamp - begun.at < SEQUENCE_MS ? begun.stroke : undefined
  begun = undefined
  // A Blueprint button claims Enter, whatever is held with it.
  const isClaimed = event.defaultPrevented && stroke?.startsWith('mod+') !== true
  if (isClaimed || isAccent || stroke === null) return

  const layer = topLayer()
  const isInField = event.target instanceof Element && event.target.closest(FIELDS) !== null
  const mayAct = (one: Shortcut) =>
    (one.worksOverDialogs || one.layer === layer) &&
    (one.mayRepeat || !event.repeat) &&
    one.when(event.target)
  const holds = (keys: string, { worksInFields }: Shortcut) =>
    isSingleKey(keys) ? singleKeys && !isInField : worksInFields || !isInField
  const find = (wanted: string) =>
    shortcuts
      .filter((one) => one.keys.includes(wanted) && holds(wanted, one) && mayAct(one))
      .sort((a, b) => ORDER.indexOf(a.scope) - ORDER.indexOf(b.scope))[0]

  const found = find(first ? `${first} ${stroke}` : stroke)
  if (found) {
    event.preventDefault()
    consumeKey(event.key)
    found.act()
  } else if (first && [...stroke].length === 1) event.preventDefault()
  else if (
    shortcuts.some((one) => one.keys.some((keys) => begins(keys, stroke) && holds(keys, one)) && mayAct(one))
  ) {
    event.preventDefault()
    begun = { stroke, at: event.timeStamp }
  } else if (isBrowsersOwn(stroke)) event.preventDefault()
}

const begins = (keys: string, stroke: string) => keys.startsWith(`${stroke} `)
/** Below a question Ctrl+S does nothing, but the browser shall not offer to save the page either. */
const isBrowsersOwn = (stroke: string) =>
  shortcuts.some(
    ({ keys, worksInFields }) => worksInFields && keys.includes(stroke) && stroke.startsWith('mod+'),
  )
