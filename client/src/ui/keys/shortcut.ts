import { use, useEffect, useRef } from 'react'
import { KeyLayerId } from './key-layer.tsx'
import { dispatch, register, type ShortcutScope } from './shortcut-registry.ts'

interface Options {
  /** False when the user may not or the screen has nothing to act on: it is not listed either. */
  isEnabled?: boolean
  /**
   * Allows modifier combinations such as Ctrl+S while a field has the focus; single letters are never handled
   * there.
   */
  worksInFields?: boolean
  /** Name of the action, as shown in the help sheet. */
  label: string
  scope?: ShortcutScope
  /** Also fires on key repeat. */
  mayRepeat?: boolean
  /** Whether the palette offers it too; default true, except in tables, where keys only move the cursor. */
  isInPalette?: boolean
  /** Also applies over dialogs. */
  worksOverDialogs?: boolean
  /** Evaluated on each key press, with the focused element. */
  when?: (focused: EventTarget | null) => boolean
}
export interface Binding extends Options {
  keys: string | readonly string[]
  act: () => void
}

document.addEventListener('keydown', dispatch)

/**
 * Registers shortcuts while the component is mounted: «j», «mod+s», «g d». In a dialog they belong to the
 * dialog.
 */
export function useShortcuts(bindings: readonly Binding[]) {
  const layer = use(KeyLayerId)
  const latest = useRef(bindings)
  latest.current = bindings
  const signature = JSON.stringify(bindings.map(({ act: _, when: __, ...facts }) => facts))
  // biome-ignore lint/correctness/useExhaustiveDependencies: handlers are read from the ref
  useEffect(
    () =>
      register(
        latest.current.flatMap((binding, index) => {
          if (binding.isEnabled === false) return []
          return {
            keys: [binding.keys].flat(),
            act: () => latest.current[index]?.act(),
            label: binding.label,
            scope: binding.scope ?? 'screen',
            worksInFields: binding.worksInFields ?? false,
            mayRepeat: binding.mayRepeat ?? false,
            isInPalette: binding.isInPalette ?? binding.scope !== 'table',
            worksOverDialogs: binding.worksOverDialogs ?? false,
            when: (focused: EventTarget | null) => latest.current[index]?.when?.(focused) ?? true,
            layer,
          }
        }),
      ),
    [signature, layer],
  )
}

export type HelpLine = Pick<Binding, 'keys' | 'label' | 'scope'>
/** Lists keys that the focused element handles itself; they are never run by the registry. */
export const useHelp = (lines: readonly HelpLine[]) =>
  useShortcuts(lines.map((line) => ({ ...line, isInPalette: false, when: never, act: () => {} })))
const never = () => false

/** `useShortcuts` for a single binding. */
export const useShortcut = (keys: Binding['keys'], act: Binding['act'], options: Options) =>
  useShortcuts([{ keys, act, ...options }])
