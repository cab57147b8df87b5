import { TrashIcon } from '@blueprintjs/icons'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { useRef } from 'react'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'

interface Props {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  file: EvidenceFile | null
  onRemove: (file: EvidenceFile) => void
  onClose: () => void
}

export function RemoveDialog({ file, onRemove, onClose }: Props) {
  const last = useRef(file)
  if (file) last.current = file
  const shown = file ?? last.current
  return (
    <ConfirmDialog
      isOpen={file !== null}
      title={`Excluir «${shown?.original_filename ?? ''}»?`}
      icon={<TrashIcon />}
      confirmText="Excluir"
      onConfirm={() => file && onRemove(file)}
      onCancel={onClose}
    >
      {shown?.status === 'converted'
        ? 'O original e o arquivo convertido saem desta OS.'
        : 'O arquivo sai desta OS.'}{' '}
      O aviso que aparece em seguida permite desfazer.
    </ConfirmDialog>
  )
}
