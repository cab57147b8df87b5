import { useHotkeys } from 'react-hotkeys-hook'

interface Options {
  isEnabled?: boolean
  /** Ctrl+S and its like work while a field has the focus; single letters never do. */
  worksInFields?: boolean
}

/** A dialog or menu on top owns the keyboard. Toasts are overlays too, but own nothing. */
const isCovered = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], .bp6-menu, .bp6-drawer') !== null

/**
 * A key or several («j», «mod+s»). Matched by the character, not by its place on the board: on ABNT2 the
 * slash sits elsewhere.
 */
export function useShortcut(
  keys: string | string[],
  act: (event: KeyboardEvent) => void,
  options: Options = {},
) {
  const { isEnabled = true, worksInFields = false } = options
  return useHotkeys(keys, act, {
    enabled: isEnabled,
    enableOnFormTags: worksInFields,
    useKey: true,
    preventDefault: true,
    ignoreEventWhen: isCovered,
  })
}
