import { ApiError, messageOf } from '../../../lib/messages.ts'
import type { Transport } from './upload-item.ts'
import { createUploadQueue } from './upload-queue.ts'

const load = async () => (await import('./upload-transport.ts')).tusTransport
let loaded: Transport | undefined

/** Loaded with the first file that is sent: no screen needs it to be shown. */
const transport: Transport = {
  async send(upload, options) {
    loaded ??= await load().catch(() => {
      throw new ApiError(0, undefined)
    })
    return loaded.send(upload, options)
  },
  // Until it has loaded, only its loading can fail.
  failureOf: (error) => loaded?.failureOf(error) ?? { kind: 'unreachable', reason: messageOf(error) },
  discard: (upload) =>
    void load().then(
      ({ discard }) => discard(upload),
      () => {},
    ),
}

/** The one upload queue of this page, shared by all screens. */
export const uploads = createUploadQueue(transport)

window.addEventListener('online', uploads.retryNow)
