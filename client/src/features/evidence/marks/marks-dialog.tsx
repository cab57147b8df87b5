import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { lazy } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { useLast } from '../../../ui/overlay/use-last.ts'

const MarksForm = lazy(async () => ({ default: (await import('./marks-form.tsx')).MarksForm }))

interface Props {
  /** Null keeps the dialog closed. It stays mounted so that focus can return to what opened it. */
  file: EvidenceFile | null
  onClose: () => void
}

/** Draws beside a photo; the drawing is loaded when it is opened. */
export function MarksDialog({ file, onClose }: Props) {
  const shown = useLast(file)
  return (
    <FormModal isOpen={file !== null} title="Marcar foto" unsavedLabel="as marcas da foto" onClose={onClose}>
      {shown && <MarksForm file={shown} onSaved={onClose} />}
    </FormModal>
  )
}
