import type { OrderView } from '@garantia/shared/orders/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { takeFiles, uploadOf, useDraftKey } from '../../../lib/drafts.ts'
import { takePendingUploadIntent } from '../../../lib/pending-upload-intent.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useIncomingFiles } from './incoming-files.ts'
import { uploads } from './uploads.ts'
import './upload.css'

const UploadDialog = lazy(async () => ({ default: (await import('./upload-dialog.tsx')).UploadDialog }))

/** Upload for the whole order page: files may be dropped or pasted on any of its tabs. */
export function useOrderUpload(order: OrderView, { onSent }: { onSent: () => void }) {
  const { id, os_number } = order
  const actor = useActor()
  const filesKey = useDraftKey(uploadOf(id))
  const [isOpen, setIsOpen] = useState(false)
  const [openCount, setOpenCount] = useState(0)
  const [category, setCategory] = useState('')
  useEffect(() => () => uploads.discardUnsent(id), [id])

  const open = useCallback(
    (files: Iterable<File> = [], slot = '') => {
      uploads.add({ id, os_number }, files)
      if (!isOpen) setOpenCount((before) => before + 1)
      if (!isOpen || slot !== '') setCategory(slot)
      setIsOpen(true)
    },
    [id, os_number, isOpen],
  )
  const refusal = refusalReason(order, can(actor, 'evidence.upload', order))
  const arrive = useEffectEvent(() => {
    const isWanted = takePendingUploadIntent(id)
    const chosen = takeFiles(filesKey) ?? []
    if (!isWanted && chosen.length === 0) return
    if (refusal === null) {
      open(chosen.map(({ file }) => file))
      for (const { file, category } of chosen)
        if (category) uploads.categorize((item) => item.file === file, category)
    } else if (chosen.length > 0) warnOf(refusal)
  })
  useEffect(() => arrive(), [])
  const isOver = useIncomingFiles({
    isWanted: refusal === null,
    onFiles: (files, slot) => (refusal === null ? open(files, slot) : warnOf(refusal)),
  })
  const close = () => {
    uploads.discardUnsent(id)
    setIsOpen(false)
  }

  const element = (
    <>
      {openCount > 0 && (
        <Suspense fallback={null}>
          <UploadDialog
            key={openCount}
            isOpen={isOpen}
            order={order}
            category={category}
            onCategory={setCategory}
            onClose={close}
            onSent={onSent}
          />
        </Suspense>
      )}
      {isOver && (
        <div className="drop-overlay" aria-hidden="true">
          <span>Solte para adicionar à OS {order.os_number}</span>
        </div>
      )}
    </>
  )
  return { open, element }
}

const warnOf = (refusal: string) => toast.warning({ title: 'Envio não permitido', description: refusal })

function refusalReason(order: OrderView, mayUpload: boolean) {
  if (isClosed(order.status)) return CLOSED_ORDER
  return mayUpload ? null : 'Você não tem permissão para esta ação.'
}
