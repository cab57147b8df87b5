import { use, useEffect, useRef } from 'react'
import { KeyLayerId } from './key-layer.tsx'
import { dispatch, register, type ShortcutScope } from './shortcut-registry.ts'

interface Options {
  /** False where the person may not, or the screen has nothing to do it with: then it is not listed either. */
  isEnabled?: boolean
  /** Ctrl+S and its like work while a field has the focus; single letters never do. */
  worksInFields?: boolean
  /** What it does, as the help sheet says it. */
  label: string
  scope?: ShortcutScope
  /** A key held down goes on. */
  mayRepeat?: boolean
  /** Whether the palette offers it too; moves about a table are no deeds. */
  isInPalette?: boolean
  /** It holds over dialogs too. */
  worksOverDialogs?: boolean
  /** Asked at the moment of use, about what has the focus. */
  when?: (focused: EventTarget | null) => boolean
}
export interface Binding extends Options {
  keys: string | readonly string[]
  act: () => void
}

document.addEventListener('keydown', dispatch)

/** Shortcuts while this part of the screen is there: «j», «mod+s», «g d». In a dialog they are the dialog's. */
export function useShortcuts(bindings: readonly Binding[]) {
  const layer = use(KeyLayerId)
  const latest = useRef(bindings)
  latest.current = bindings
  const face = JSON.stringify(bindings.map(({ act: _, when: __, ...facts }) => facts))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed decides; what is done is read when it is done
  useEffect(
    () =>
      register(
        latest.current.flatMap((binding, place) => {
          if (binding.isEnabled === false) return []
          return {
            keys: [binding.keys].flat(),
            act: () => latest.current[place]?.act(),
            label: binding.label,
            scope: binding.scope ?? 'screen',
            worksInFields: binding.worksInFields ?? false,
            mayRepeat: binding.mayRepeat ?? false,
            isInPalette: binding.isInPalette ?? binding.scope !== 'table',
            worksOverDialogs: binding.worksOverDialogs ?? false,
            when: (focused: EventTarget | null) => latest.current[place]?.when?.(focused) ?? true,
            layer,
          }
        }),
      ),
    [face, layer],
  )
}

export type HelpLine = Pick<Binding, 'keys' | 'label' | 'scope'>
/** Keys that what has the focus obeys by itself: the registry does nothing with them but tell them. */
export const useHelp = (lines: readonly HelpLine[]) =>
  useShortcuts(lines.map((line) => ({ ...line, isInPalette: false, when: never, act: () => {} })))
const never = () => false

export const useShortcut = (keys: Binding['keys'], act: Binding['act'], options: Options) =>
  useShortcuts([{ keys, act, ...options }])
