import type { PartReturnView } from '@garantia/shared/claims/parts'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { useRef } from 'react'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { PartForm } from './part-form.tsx'

interface Props {
  claim: ClaimView
  /** Null keeps the dialog closed. */
  part: PartReturnView | null
  onClose: () => void
}

export function PartDialog({ claim, part, onClose }: Props) {
  const last = useRef(part)
  if (part !== null) last.current = part
  const shown = last.current
  if (shown === null) return null
  return (
    <FormModal
      isOpen={part !== null}
      title={`Peça ${shown.part_number}`}
      unsavedLabel="a peça"
      width="wide"
      onClose={onClose}
    >
      <PartForm key={shown.id} claim={claim} part={shown} onDone={onClose} />
    </FormModal>
  )
}
