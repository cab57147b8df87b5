import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { KeyLayer } from '../keys/key-layer.tsx'
import { IsDialogOpen } from '../press.ts'
import { dialogTitle, useDialogFocus } from './dialog-focus.ts'
import { FADE_MS } from './fade.ts'

interface Props {
  isOpen: boolean
  title: string
  onClose: () => void
  onClosed?: (() => void) | undefined
  role?: 'dialog' | 'alertdialog'
  /** Wide for forms and galleries, narrow for questions; a drawer is at the side, as high as the window. */
  width?: 'narrow' | 'wide' | 'drawer' | 'palette'
  /** False while something is being sent: neither backdrop, Escape nor the close button closes the dialog. */
  isCloseable?: boolean
  /** Rendered synchronously on opening, so that characters typed right after the opening key arrive. */
  isEager?: boolean
  children: ReactNode
}

/** Blueprint's dialog with a header of our own, because Blueprint's close button is labelled in English. */
export function Modal({
  isOpen,
  title,
  onClose,
  onClosed,
  role,
  width = 'narrow',
  isCloseable = true,
  isEager = false,
  children,
}: Props) {
  const titleId = useId()
  const focus = useDialogFocus(isOpen)
  const { dialog, openings } = useOpenings(isOpen)
  return (
    <Dialog
      {...focus}
      isOpen={isOpen}
      lazy={!isEager}
      transitionDuration={FADE_MS}
      onClose={onClose}
      onClosed={(dialog) => {
        focus.onClosed(dialog)
        onClosed?.()
      }}
      role={role}
      aria-labelledby={titleId}
      canEscapeKeyClose={isCloseable}
      canOutsideClickClose={isCloseable}
      className={`modal modal-${width}`}
    >
      <div className="modal-header">
        <h2 id={titleId} {...dialogTitle}>
          {title}
        </h2>
        <Button
          variant="minimal"
          size="small"
          icon={<CrossIcon />}
          aria-label="Fechar"
          onClick={onClose}
          disabled={!isCloseable}
        />
      </div>
      <IsDialogOpen value={dialog}>
        <KeyLayer key={openings}>{children}</KeyLayer>
      </IsDialogOpen>
    </Dialog>
  )
}

/** What is in a dialog begins anew with each opening, also when it is opened again before it has faded out. */
function useOpenings(isOpen: boolean) {
  const [listeners] = useState(() => new Set<() => void>())
  const [dialog] = useState(() => ({
    current: isOpen,
    openings: 0,
    whenClosing(act: () => void) {
      listeners.add(act)
      return () => void listeners.delete(act)
    },
  }))
  if (isOpen && !dialog.current) dialog.openings++
  dialog.current = isOpen
  useEffect(() => {
    if (!isOpen) for (const act of listeners) act()
  }, [isOpen, listeners])
  return { dialog, openings: dialog.openings }
}
