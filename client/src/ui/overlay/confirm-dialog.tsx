import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { Modal } from './modal.tsx'

interface Props {
  isOpen: boolean
  /** Names the object: «Excluir foto.jpg?». */
  title: string
  /** The consequence. */
  children: ReactNode
  confirmText: string
  cancelText?: string
  icon?: ReactElement
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before an action that is not meant to happen by mistake. Cancel has the focus. */
export const ConfirmDialog = (props: Props) => (
  <Modal
    isOpen={props.isOpen}
    title={props.title}
    onClose={props.onCancel}
    role="alertdialog"
    isCloseable={!props.isBusy}
  >
    <DialogBody>{props.children}</DialogBody>
    <DialogFooter
      actions={
        <>
          <Button
            autoFocus
            text={props.cancelText ?? 'Cancelar'}
            onClick={props.onCancel}
            disabled={props.isBusy}
          />
          <Button
            intent="danger"
            icon={props.icon}
            text={props.confirmText}
            loading={props.isBusy}
            onClick={props.onConfirm}
          />
        </>
      }
    />
  </Modal>
)
