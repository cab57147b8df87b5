import { toast } from '../../../ui/feedback/toaster.tsx'
import { refetchEvidence } from '../evidence-queries.ts'
import { uploadNotifications } from './upload-messages.ts'
import { uploads } from './uploads.ts'

/** Toasts for finished uploads of any order, whatever page is shown. */
uploads.onEnded((order, ended) => {
  const isHere = location.pathname === `/os/${order.id}`
  for (const { kind, ...content } of uploadNotifications(ended, isHere ? '' : ` na OS ${order.os_number}`))
    toast[kind](content)
  void refetchEvidence(order.id)
})
