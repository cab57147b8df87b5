import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import {
  type CategoryProgress,
  categoryProgress,
  isFilled,
} from '@garantia/shared/evidence/category-progress'

export interface CameraSlot extends CategoryProgress {
  label: string
}
type Filed = Parameters<typeof categoryProgress>[1]

/** The brand's categories in its order, with what the order has and what was taken here and has not arrived yet. */
export function cameraSlots(
  required: readonly RequiredCategory[],
  files: Filed,
  pending: readonly EvidenceCategory[],
): CameraSlot[] {
  const coming = pending.map((evidence_category) => ({ id: 0, evidence_category }))
  const progress = categoryProgress(required, [...files, ...coming])
  return required.flatMap(({ category }) => {
    const slot = progress.find((one) => one.category === category)
    return slot ? { ...slot, label: EVIDENCE_CATEGORY[category] } : []
  })
}

/** The category to photograph after `category`: itself while it lacks photos, then the next that does; null at the end. */
export function nextMissing(slots: readonly CameraSlot[], category: EvidenceCategory | null) {
  const at = Math.max(
    0,
    slots.findIndex((slot) => slot.category === category),
  )
  return [...slots.slice(at), ...slots.slice(0, at)].find((slot) => !isFilled(slot))?.category ?? null
}

/** As «placa_20261128_141503_123.jpg»: sorted by time. */
export const photoName = (category: EvidenceCategory, at: Date) =>
  `${category}_${at.toISOString().replace(/[-:]/g, '').replace('T', '_').replace('.', '_').replace('Z', '')}.jpg`
