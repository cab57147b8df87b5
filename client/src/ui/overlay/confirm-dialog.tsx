import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { useShortcut } from '../keys/shortcut.ts'
import { usePress } from '../press.ts'
import { Modal } from './modal.tsx'

interface Props {
  isOpen: boolean
  /** Names the object: «Excluir foto.jpg?». */
  title: string
  /** The consequence. */
  children: ReactNode
  confirmText: string
  cancelText?: string
  icon?: ReactElement | undefined
  /** Returns the promise of what it does; until that has ended the dialog neither closes nor acts again. */
  onConfirm: () => unknown
  onCancel: () => void
}

/**
 * Asks for confirmation before an action that is not meant to happen by mistake. Cancel has the focus; Ctrl+Enter
 * confirms.
 */
export function ConfirmDialog({ isOpen, title, icon, onConfirm, onCancel, ...props }: Props) {
  const { press, isBusy } = usePress(onConfirm, isOpen)
  return (
    <Modal isOpen={isOpen} title={title} onClose={onCancel} role="alertdialog" isCloseable={!isBusy}>
      <ConfirmKey label={props.confirmText} onConfirm={press} />
      <DialogBody>{props.children}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button autoFocus text={props.cancelText ?? 'Cancelar'} onClick={onCancel} disabled={isBusy} />
            <Button intent="danger" icon={icon} text={props.confirmText} loading={isBusy} onClick={press} />
          </>
        }
      />
    </Modal>
  )
}

/** Inside the dialog, whose keys it owns. */
function ConfirmKey({ label, onConfirm }: { label: string; onConfirm: () => void }) {
  useShortcut('mod+enter', onConfirm, { worksInFields: true, label })
  return null
}
