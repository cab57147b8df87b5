import type { SavedView } from '@garantia/shared/orders/views'
import { lazy } from 'react'
import { FormModal } from '../../../../ui/form/form-modal.tsx'

const SaveViewForm = lazy(async () => ({ default: (await import('./save-view-form.tsx')).SaveViewForm }))

interface Props {
  isOpen: boolean
  criteria: SavedView['criteria']
  onClose: () => void
}

export const SaveViewDialog = ({ isOpen, ...rest }: Props) => (
  <FormModal
    isOpen={isOpen}
    title="Salvar vista"
    unsavedLabel="a nova vista"
    width="narrow"
    onClose={rest.onClose}
  >
    <SaveViewForm {...rest} />
  </FormModal>
)
