import { createUploadQueue } from './upload-queue.ts'
import { tusTransport } from './upload-transport.ts'

/** The one upload queue of this page, shared by all screens. */
export const uploads = createUploadQueue(tusTransport)

window.addEventListener('online', uploads.retryNow)
