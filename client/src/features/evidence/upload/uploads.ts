import { createUploadQueue } from './upload-queue.ts'
import { tusTransport } from './upload-transport.ts'

/** The one list of what this page sends, for every screen. */
export const uploads = createUploadQueue(tusTransport)

window.addEventListener('online', uploads.retryNow)
