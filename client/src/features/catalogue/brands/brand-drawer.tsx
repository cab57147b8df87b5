import type { BrandView } from '@garantia/shared/brands/schema'
import { useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { BrandForm } from './brand-form.tsx'

/** Drawer that edits the rules of one brand; null keeps it closed. */
export function BrandDrawer({ brand, onClose }: { brand: BrandView | null; onClose: () => void }) {
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
      {shown && <BrandForm brand={shown} onDone={onClose} />}
    </FormModal>
  )
}
