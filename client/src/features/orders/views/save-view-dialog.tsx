import { lazy } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { useLast } from '../../../ui/overlay/use-last.ts'
import type { NamedView } from './save-view-form.tsx'

const SaveViewForm = lazy(async () => ({ default: (await import('./save-view-form.tsx')).SaveViewForm }))

interface Props {
  /** Null keeps it closed. */
  view: NamedView | null
  onClose: () => void
}

/** Saves a new view, or gives one of the own another name. */
export function SaveViewDialog({ view, onClose }: Props) {
  const shown = useLast(view)
  const isNew = shown?.id === undefined
  return (
    <FormModal
      isOpen={view !== null}
      title={isNew ? 'Salvar vista' : 'Renomear vista'}
      unsavedLabel={isNew ? 'a nova vista' : 'o novo nome'}
      width="narrow"
      onClose={onClose}
    >
      {shown && <SaveViewForm view={shown} onClose={onClose} />}
    </FormModal>
  )
}
