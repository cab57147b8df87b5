import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useId } from 'react'
import { KeyLayer } from '../keys/key-layer.tsx'
import { dialogTitle, useDialogFocus } from './dialog-focus.ts'

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
  /** It is drawn within the press that opens it: what is typed right behind that key arrives. */
  isEager?: boolean
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
  isEager = false,
  children,
}: Props) {
  const titleId = useId()
  const focus = useDialogFocus(isOpen)
  return (
    <Dialog
      {...focus}
      isOpen={isOpen}
      lazy={!isEager}
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
      <KeyLayer>{children}</KeyLayer>
    </Dialog>
  )
}
