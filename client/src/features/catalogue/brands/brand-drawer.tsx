import type { BrandView } from '@garantia/shared/brands/schema'
import { useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { BrandForm } from './brand-form.tsx'

interface Props {
  brand: BrandView | null
  /** A category of evidence that refusals propose to ask for. */
  asked?: string | undefined
  onClose: () => void
}

/** Drawer that edits the rules of one brand; null keeps it closed. */
export function BrandDrawer({ brand, asked, onClose }: Props) {
  const last = useRef(brand)
  if (brand) last.current = brand
  const shown = brand ?? last.current
  return (
    <FormModal
      isOpen={brand !== null}
      title={`Regras de ${shown?.display_name ?? ''}`}
      unsavedLabel="alterações nas regras desta marca"
      width="drawer"
      onClose={onClose}
    >
      {shown && <BrandForm brand={shown} asked={asked} onDone={onClose} />}
    </FormModal>
  )
}
