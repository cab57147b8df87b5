import { useOverlayStack } from '@blueprintjs/core'
import { useInsertionEffect, useRef } from 'react'
import { isTouch } from '../page/pointer.ts'
import { captureFocus } from './focus-return.ts'

/**
 * The way of the focus into a dialog and back. Blueprint puts it in front of the dialog, where nothing is told,
 * and takes a field that has it from the start for the place to go back to.
 */
export function useDialogFocus(isOpen: boolean) {
  const restoreFocus = useRef<() => void>(undefined)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current) restoreFocus.current = captureFocus()
  wasOpen.current = isOpen
  // A dialog below holds the focus until this one has been drawn, and would fetch back what a field took by then.
  const { getLastOpened } = useOverlayStack()
  useInsertionEffect(() => {
    const hold = isOpen && getLastOpened()?.handleDocumentFocus
    if (hold) document.removeEventListener('focus', hold, true)
  }, [isOpen, getLastOpened])
  return {
    shouldReturnFocusOnClose: false,
    onOpening: (dialog: HTMLElement) => {
      if (!dialog.contains(document.activeElement)) titleOf(dialog)?.focus({ preventScroll: true })
    },
    onClosed: (dialog: HTMLElement) => {
      const { activeElement, body } = document
      const isNowhere = activeElement === body || activeElement?.matches(TRAP)
      if (isNowhere || dialog.contains(activeElement)) restoreFocus.current?.()
    },
  }
}

/** Where Blueprint puts a focus that left: of a dialog below, it is the edge, which obeys no key. */
const TRAP = '.bp6-overlay-start-focus-trap, .bp6-overlay-end-focus-trap'

const titleOf = (place: Element) => place.querySelector<HTMLElement>('[data-dialog-title]')

/** What <DialogTitle> carries: it has the focus until something better comes. */
export const dialogTitle = { 'data-dialog-title': true, tabIndex: -1 }

const FIELDS = ':is(input, select, textarea):not(:disabled, [readonly], [type="hidden"], [hidden])'

/**
 * The ref of a form in a dialog, which may come long after the dialog: its first field takes the focus from the
 * title. With a finger it stays there, or half of the form would be gone below the keyboard.
 */
export function focusFirstField(form: HTMLFormElement | null) {
  const dialog = form?.closest('[role="dialog"], [role="alertdialog"]')
  if (!form || !dialog || isTouch()) return
  const { activeElement } = document
  if (dialog.contains(activeElement) && activeElement !== titleOf(dialog)) return
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)]
  fields.find((one) => one.checkVisibility())?.focus()
}
