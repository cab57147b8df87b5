import { useOverlayStack } from '@blueprintjs/core'
import { useInsertionEffect, useRef } from 'react'
import { isTouch } from '../page/pointer.ts'
import { captureFocus } from './focus-return.ts'

/**
 * Moves the focus into a dialog and back. Blueprint focuses the container in front of the dialog, where
 * screen readers announce nothing, and takes an autofocused field for the element to return to.
 */
export function useDialogFocus(isOpen: boolean) {
  const restoreFocus = useRef<() => void>(undefined)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current) restoreFocus.current = captureFocus()
  wasOpen.current = isOpen
  // A dialog below keeps its focus handler until this one has rendered, and would take the focus back from an
  // autofocused field.
  const { getLastOpened } = useOverlayStack()
  useInsertionEffect(() => {
    const focusHandler = isOpen && getLastOpened()?.handleDocumentFocus
    if (focusHandler) document.removeEventListener('focus', focusHandler, true)
  }, [isOpen, getLastOpened])
  return {
    shouldReturnFocusOnClose: false,
    onOpening: (dialog: HTMLElement) => {
      if (!dialog.contains(document.activeElement)) focusTitle(dialog)
    },
    onClosed: (dialog: HTMLElement) => {
      const { activeElement, body } = document
      const isNowhere = activeElement === body || activeElement?.matches(TRAP)
      if (isNowhere || dialog.contains(activeElement)) restoreFocus.current?.()
    },
  }
}

/**
 * Blueprint's focus traps receive a focus that leaves a dialog; the one of a dialog below handles no keys.
 */
const TRAP = '.bp6-overlay-start-focus-trap, .bp6-overlay-end-focus-trap'

const titleOf = (container: Element) => container.querySelector<HTMLElement>('[data-dialog-title]')

/** For a dialog's onOpening, also where it is opened again before it has closed. */
export const focusTitle = (dialog: HTMLElement) => titleOf(dialog)?.focus({ preventScroll: true })

/** Props of a dialog's title: it takes the focus until a field does. */
export const dialogTitle = { 'data-dialog-title': true, tabIndex: -1 }

const FIELDS = ':is(input, select, textarea):not(:disabled, [readonly], [type="hidden"], [hidden])'

/** Whether the dialog around an element still has the focus on its title, or has not got it yet. */
function isTitleFocused(element: Element) {
  const dialog = element.closest('[role="dialog"], [role="alertdialog"]')
  const { activeElement } = document
  return dialog !== null && (!dialog.contains(activeElement) || activeElement === titleOf(dialog))
}

/** Ref for what a dialog was opened for and which may come later: takes the focus from the title. */
export function focusIfOnTitle(element: HTMLElement | null) {
  if (element && isTitleFocused(element)) element.focus({ preventScroll: true })
}

/**
 * Ref for a form in a dialog, which may render long after the dialog: moves the focus from the title to the
 * first field. On touch devices the title keeps it, as the on-screen keyboard would cover half of the form.
 */
export function focusFirstField(form: HTMLFormElement | null) {
  if (!form || isTouch() || !isTitleFocused(form)) return
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)]
  fields.find((one) => one.checkVisibility())?.focus()
}
