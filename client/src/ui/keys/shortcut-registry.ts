import { isClosing } from '../overlay/fade.ts'
import { consumeKey } from './pressed-keys.ts'
import { isModifier, isSingleKey, strokeOf } from './shortcut-keys.ts'

/** Scopes from nearest to farthest: the nearest matching shortcut is run. */
export const SCOPES = ['table', 'screen', 'everywhere'] as const
/** Keys handled by the focused element itself; the registry only lists them. */
export const HELP_ONLY_SCOPES = ['file', 'viewer'] as const
export type ShortcutScope = (typeof SCOPES)[number] | (typeof HELP_ONLY_SCOPES)[number]

export interface Shortcut {
  /** Alternatives: «j», «mod+s», «g d»; empty when only the palette offers the action. */
  keys: readonly string[]
  act: () => void
  /** Name of the action, for the help sheet and the palette. */
  label: string
  scope: ShortcutScope
  /**
   * Allows modifier combinations such as Ctrl+S while a field has the focus; single letters are never handled
   * there.
   */
  worksInFields: boolean
  /** Also fires on key repeat. */
  mayRepeat: boolean
  /** Whether it applies now, given the focused element. */
  when: (focused: EventTarget | null) => boolean
  /** Also offered by the palette. */
  isInPalette: boolean
  /** The dialog that owns it; null is the page. */
  layer: string | null
  /** Applies even when a dialog is open on top. */
  worksOverDialogs?: boolean
}

const SEQUENCE_MS = 1_500
const FIELDS = 'input, select, textarea, [contenteditable=""], [contenteditable="true"]'
/** Overlays that take over the keyboard: dialogs, drawers and menus. Toasts and tooltips do not. */
const OVERLAYS =
  '[role="dialog"], [role="alertdialog"], .bp6-drawer, .bp6-popover:not(.bp6-tooltip):not([role="tooltip"])'

/** An overlay that is fading out no longer blocks once the focus has left it. */
const isBlocking = (overlay: Element) => !isClosing(overlay) || overlay.contains(document.activeElement)

const ORDER: readonly ShortcutScope[] = [...SCOPES, ...HELP_ONLY_SCOPES]

let shortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()
const changeTo = (next: readonly Shortcut[]) => {
  shortcuts = next
  for (const listener of listeners) listener()
}

/** The current shortcuts: a new array after every change. */
export const registered = () => shortcuts
/** Listens to changes of the shortcuts and of the single-key switch; returns the unsubscribe function. */
export const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** Adds shortcuts; returns the function that removes them. */
export function register(added: readonly Shortcut[]) {
  changeTo([...shortcuts, ...added])
  return () => changeTo(shortcuts.filter((one) => !added.includes(one)))
}

let singleKeys = true
/** The switch for single-character shortcuts (WCAG 2.1.4). */
export const areSingleKeysOn = () => singleKeys
export const switchSingleKeys = (isOn: boolean) => {
  singleKeys = isOn
  changeTo(shortcuts)
}

/**
 * Layer id of the topmost overlay: null when none is open, undefined when the overlay handles its own keys.
 */
function topLayer() {
  const top = [...document.querySelectorAll(OVERLAYS)].findLast(isBlocking)
  return top ? top.querySelector('[data-key-layer]')?.getAttribute('data-key-layer') : null
}

let pendingPrefix: { stroke: string; at: number } | undefined
let isAccentPending = false

/** The keydown listener of the page: runs the nearest shortcut that matches. */
export function dispatch(event: KeyboardEvent) {
  if (isModifier(event)) return
  // The letter after a dead key is part of the accent.
  const isAccent = isAccentPending && [...event.key].length === 1
  isAccentPending = event.key === 'Dead'
  const stroke = strokeOf(event)
  const first =
    pendingPrefix && event.timeStamp - pendingPrefix.at < SEQUENCE_MS ? pendingPrefix.stroke : undefined
  pendingPrefix = undefined
  // Blueprint buttons call preventDefault on Enter even with modifiers; mod+Enter is still handled here.
  const isHandled = event.defaultPrevented && stroke?.startsWith('mod+') !== true
  if (isHandled || isAccent || stroke === null) return

  const layer = topLayer()
  const isInField = event.target instanceof Element && event.target.closest(FIELDS) !== null
  const mayAct = (one: Shortcut) =>
    (one.worksOverDialogs || one.layer === layer) &&
    (one.mayRepeat || !event.repeat) &&
    one.when(event.target)
  const applies = (keys: string, { worksInFields }: Shortcut) =>
    isSingleKey(keys) ? singleKeys && !isInField : worksInFields || !isInField
  const find = (wanted: string) =>
    shortcuts
      .filter((one) => one.keys.includes(wanted) && applies(wanted, one) && mayAct(one))
      .sort((a, b) => ORDER.indexOf(a.scope) - ORDER.indexOf(b.scope))[0]

  const found = find(first ? `${first} ${stroke}` : stroke)
  if (found) {
    event.preventDefault()
    consumeKey(event.key)
    found.act()
  } else if (first && [...stroke].length === 1) event.preventDefault()
  else if (
    shortcuts.some(
      (one) => one.keys.some((keys) => startsSequence(keys, stroke) && applies(keys, one)) && mayAct(one),
    )
  ) {
    event.preventDefault()
    pendingPrefix = { stroke, at: event.timeStamp }
  } else if (isBrowsersOwn(stroke)) event.preventDefault()
}

const startsSequence = (keys: string, stroke: string) => keys.startsWith(`${stroke} `)
/**
 * A mod+ shortcut that does not apply now is still prevented, so that the browser does not offer to save the
 * page.
 */
const isBrowsersOwn = (stroke: string) =>
  shortcuts.some(
    ({ keys, worksInFields }) => worksInFields && keys.includes(stroke) && stroke.startsWith('mod+'),
  )
