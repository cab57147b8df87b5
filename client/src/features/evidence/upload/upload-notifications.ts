import { toast } from '../../../ui/feedback/toaster.tsx'
import { refetchEvidence } from '../evidence-queries.ts'
import { uploadNotifications } from './upload-messages.ts'
import { uploads } from './uploads.ts'

const quiet = new Set<number>()
/** Leaves out the good news of an order, whose screen tells them itself, until the returned function is called. */
export function reportQuietly(order_id: number) {
  quiet.add(order_id)
  return () => void quiet.delete(order_id)
}

/** Toasts for finished uploads of any order, whatever page is shown. */
uploads.onEnded((order, ended) => {
  const isHere = location.pathname === `/os/${order.id}`
  for (const { kind, ...content } of uploadNotifications(ended, isHere ? '' : ` na OS ${order.os_number}`))
    if (kind !== 'success' || !quiet.has(order.id)) toast[kind](content)
  void refetchEvidence(order.id)
})
