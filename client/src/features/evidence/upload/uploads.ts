import { callHeaders, expireSession } from '../../../lib/session.ts'
import { lazyTransport } from './lazy-transport.ts'
import { createUploadQueue } from './upload-queue.ts'

/** The one upload queue of this page, shared by all screens. */
export const uploads = createUploadQueue(
  lazyTransport({ path: '/uploads', headers: callHeaders, onSignedOut: expireSession }),
)

window.addEventListener('online', uploads.retryNow)
