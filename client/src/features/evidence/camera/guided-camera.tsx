import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { lazy, Suspense } from 'react'
import { Modal } from '../../../ui/overlay/modal.tsx'

const CameraForm = lazy(async () => ({ default: (await import('./camera-form.tsx')).CameraForm }))

interface Props {
  /** It stays mounted while closed so that focus can return to what opened it. */
  isOpen: boolean
  order: OrderView
  files: readonly EvidenceFile[]
  required: readonly { category: EvidenceCategory; min: number }[]
  onClose: () => void
}

/** Photographs what the brand still asks for, one after the other; loaded when it is opened. */
export const GuidedCamera = ({ isOpen, order, files, required, onClose }: Props) => (
  <Modal isOpen={isOpen} title={`Fotografar a OS ${order.os_number}`} width="wide" onClose={onClose}>
    <Suspense fallback={null}>
      <CameraForm order={order} files={files} required={required} onClose={onClose} />
    </Suspense>
  </Modal>
)
