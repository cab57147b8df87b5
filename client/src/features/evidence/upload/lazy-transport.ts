import { ApiError, messageOf } from '../../../lib/messages.ts'
import type { Transport } from './upload-item.ts'
import type { Way } from './upload-transport.ts'

/** The transport over tus of one way, loaded with the first file that is sent: no screen needs it to be shown. */
export function lazyTransport(way: Way): Transport {
  let loaded: Transport | undefined
  const load = async () => (await import('./upload-transport.ts')).createTusTransport(way)
  return {
    async send(upload, options) {
      loaded ??= await load().catch(() => {
        throw new ApiError(0, undefined)
      })
      return loaded.send(upload, options)
    },
    // Until it has loaded, only its loading can fail.
    failureOf: (error) => loaded?.failureOf(error) ?? { kind: 'unreachable', reason: messageOf(error) },
    discard(upload) {
      // At once, if possible: the headers are those of whoever is still signed in.
      if (loaded) return loaded.discard(upload)
      void load().then(
        ({ discard }) => discard(upload),
        () => {},
      )
    },
  }
}
