import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useRef } from 'react'
import { KeyLayer } from './key-layer.tsx'

interface Props {
  isOpen: boolean
  title: string
  onClose: () => void
  onClosed?: (() => void) | undefined
  role?: 'dialog' | 'alertdialog'
  /** Wide for forms and galleries, narrow for questions; a drawer stands at the side, as high as the window. */
  width?: 'narrow' | 'wide' | 'drawer' | 'palette'
  /** A dialog that is still sending something is not closed by a stray click. */
  isCloseable?: boolean
  children: ReactNode
}

/** Blueprint's dialog under our own header, because its close button speaks English. */
export function Modal({
  isOpen,
  title,
  onClose,
  onClosed,
  role,
  width = 'narrow',
  isCloseable = true,
  children,
}: Props) {
  const titleId = useId()
  // A field that takes the focus as it appears is there before any effect runs, so Blueprint takes it for the
  // place to go back to.
  const opener = useRef<Element>(null)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current) opener.current = document.activeElement
  wasOpen.current = isOpen
  const giveFocusBack = (dialog: HTMLElement) => {
    const { activeElement, body } = document
    if (opener.current instanceof HTMLElement && (activeElement === body || dialog.contains(activeElement)))
      opener.current.focus()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={(dialog) => {
        giveFocusBack(dialog)
        onClosed?.()
      }}
      role={role}
      aria-labelledby={titleId}
      canEscapeKeyClose={isCloseable}
      canOutsideClickClose={isCloseable}
      className={`modal modal-${width}`}
    >
      <div className="modal-header">
        <h2 id={titleId}>{title}</h2>
        <Button
          variant="minimal"
          size="small"
          icon={<CrossIcon />}
          aria-label="Fechar"
          onClick={onClose}
          disabled={!isCloseable}
        />
      </div>
      <KeyLayer>{children}</KeyLayer>
    </Dialog>
  )
}
