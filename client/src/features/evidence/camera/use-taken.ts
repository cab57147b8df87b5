import type { CaptureFields } from '@garantia/shared/evidence/capture'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { byKey } from '../upload/upload-item.ts'
import { uploads } from '../upload/uploads.ts'
import { waitingCategories } from '../upload/waiting-categories.ts'
import { type TakenPhoto, takenNow } from './taken-photos.ts'

export interface Shot {
  file: File
  capture: CaptureFields
}

/** What was taken here: sends photos, follows them, and removes those that are taken again. */
export function useTaken(order: OrderView, files: readonly EvidenceFile[]) {
  const utils = trpc.useUtils()
  const { mutateAsync: removeFile } = trpc.evidence.remove.useMutation()
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  const [known, setKnown] = useState<readonly TakenPhoto[]>([])
  const taken = takenNow(known, items, files)
  const busy = useRef(new Set<number>())

  const remove = async (photo: TakenPhoto) => {
    if (photo.evidence_id === null || busy.current.has(photo.key)) return false
    busy.current.add(photo.key)
    try {
      await removeFile({ id: photo.evidence_id })
      return true
    } catch (error) {
      toast.error({ title: 'Erro ao excluir evidência', description: messageOf(error) })
      return false
    } finally {
      busy.current.delete(photo.key)
      void utils.evidence.list.invalidate({ order_id: order.id })
    }
  }
  const follow = useEffectEvent(() => {
    if (taken === known) return
    // Of what is known by then: a photo may have been added since this was rendered.
    setKnown((before) => takenNow(before, items, files))
    for (const photo of taken)
      if (photo.is_unwanted && photo.state === 'sent') {
        forget(photo)
        void remove(photo)
      }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the photos have changed
  useEffect(() => follow(), [taken])
  const urls = useRef<readonly string[]>([])
  useEffect(() => {
    urls.current = taken.map(({ url }) => url)
  }, [taken])
  useEffect(
    () => () => {
      for (const url of urls.current) URL.revokeObjectURL(url)
    },
    [],
  )

  const forget = ({ key, url }: TakenPhoto) => {
    URL.revokeObjectURL(url)
    setKnown((before) => before.filter((photo) => photo.key !== key))
  }
  const others = items.filter(({ key }) => !taken.some((photo) => photo.key === key))
  return {
    taken,
    /** Categories of files that were sent elsewhere, as before this page was opened, and have not arrived. */
    waiting: waitingCategories(others, order.id) as EvidenceCategory[],
    /** Sends photos of one category at once. */
    send(category: EvidenceCategory, shots: readonly Shot[]) {
      const added = shots.flatMap(({ file, capture }) => {
        const key = uploads.sendOne(order, file, { category, ...capture })
        return key === null ? [] : { key, category, url: URL.createObjectURL(file), ...NEW }
      })
      setKnown((before) => [...before, ...added])
    },
    /** Takes a photo back; false when the server did not let it. */
    async takeBack(photo: TakenPhoto) {
      if (photo.state === 'sent') {
        if (!(await remove(photo))) return false
        forget(photo)
      } else if (photo.state === 'sending') {
        // It may arrive although its request is ended.
        setKnown((before) =>
          before.map((one) => (one.key === photo.key ? { ...one, is_unwanted: true } : one)),
        )
      } else {
        uploads.remove(byKey(photo.key))
        forget(photo)
      }
      return true
    },
  }
}
const NEW = {
  state: 'queued' as const,
  reason: null,
  evidence_id: null,
  is_listed: false,
  is_unwanted: false,
}
