import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { isOver, isUnderWay, type UploadItem } from '../upload/upload-item.ts'

/** A photo that was taken or chosen here, and what became of it, also after the queue of uploads has forgotten it. */
export interface TakenPhoto extends Pick<UploadItem, 'key' | 'state' | 'reason'> {
  category: EvidenceCategory
  /** Of the picture in this page. */
  url: string
  evidence_id: number | null
  /** The list of the order's files has had it. */
  is_listed: boolean
  /** It is taken again, and is removed when it arrives all the same. */
  is_unwanted: boolean
}

/**
 * The photos as queue and order have them now; the same list when nothing has changed. One whose upload was cancelled,
 * or whose file was deleted, is gone.
 */
export function takenNow(
  taken: readonly TakenPhoto[],
  items: readonly UploadItem[],
  files: readonly { id: number }[],
): readonly TakenPhoto[] {
  const now = taken.flatMap((photo) => {
    const item = items.find(({ key }) => key === photo.key)
    if (!item && !isOver(photo)) return []
    const { state, reason } = item ?? photo
    const evidence_id = item?.evidence_id ?? photo.evidence_id
    const isThere = files.some(({ id }) => id === evidence_id)
    if (photo.is_listed && !isThere) return []
    const next = { ...photo, state, reason, evidence_id, is_listed: isThere }
    return isSame(photo, next) ? photo : next
  })
  return now.length === taken.length && now.every((photo, at) => photo === taken[at]) ? taken : now
}

const isSame = (one: TakenPhoto, other: TakenPhoto) =>
  one.state === other.state &&
  one.reason === other.reason &&
  one.evidence_id === other.evidence_id &&
  one.is_listed === other.is_listed

/** Whether it counts for its category although the order does not have it yet. */
export const isComing = (photo: TakenPhoto) =>
  !photo.is_unwanted &&
  !photo.is_listed &&
  (isUnderWay(photo) || photo.state === 'paused' || photo.state === 'sent')
