import type { UploadResult } from '@garantia/shared/evidence/schema'
import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client'
import { API, toApiError } from '../../../lib/files.ts'
import { ApiError, messageOf, statusOf } from '../../../lib/messages.ts'
import { callHeaders } from '../../../lib/session.ts'
import type { Transport, Upload, UploadReceipt } from './upload-item.ts'
import { createUploadUrlStorage, fingerprintOf } from './upload-url-storage.ts'

const ENDPOINT = `${API}/uploads`
/** Bytes of one request: short enough for every time limit between here and the server (D-22). */
const CHUNK_BYTES = 8 * 1024 * 1024
/** So much is sent with the first request: were its answer lost, so much would be sent twice. */
const AT_ONCE_BYTES = 2 * 1024 * 1024
/** A connection whose other end is gone gives no sign; after this long without one it is cut and tried again. */
const STALLED_MS = 30_000
/** Once a whole chunk has left, the server may be hashing and checking the file. */
const UNANSWERED_MS = 180_000
/** The network was just reported back: what has not moved for this long hangs on the old connection. */
const STALE_MS = 3_000

/** Answers that speak of the server's moment, not of the file. */
const PASSING = [408, 429, 502, 503, 504]
/** The server no longer knows this upload; the next try begins anew. */
const GONE_STATUSES = [404, 410]
const GONE_TEXT = 'O servidor não guardou o que já foi enviado. O envio recomeça.'
const BUSY_TEXT = 'O servidor ainda encerra a conexão anterior.'

const library = () => import('tus-js-client')
const addresses = createUploadUrlStorage()

/** tus, by its client library. New tries are the queue's affair: it knows what else is to be sent. */
export const tusTransport: Transport = {
  async send(upload, { signal, onProgress }) {
    const tus = await library().catch(() => {
      throw new ApiError(0, undefined)
    })
    if (signal.aborted) throw cancelled()
    return new Promise<UploadReceipt>((resolve, reject) => {
      const fingerprint = fingerprintOf(upload)
      const watch = watchConnection(() => stop(new ApiError(0, undefined)))
      const finished = new AbortController()
      const finish = (end: () => void) => {
        watch.end()
        finished.abort()
        end()
      }
      const stop = (why: Error) => {
        void sending.abort()
        finish(() => reject(why))
      }
      signal.addEventListener('abort', () => stop(cancelled()), { signal: finished.signal })

      const sending = new tus.Upload(upload.file, {
        endpoint: new URL(ENDPOINT, location.origin).href,
        uploadUrl: addresses.find(fingerprint),
        metadata: metadataOf(upload),
        chunkSize: CHUNK_BYTES,
        uploadDataDuringCreation: upload.file.size <= AT_ONCE_BYTES,
        retryDelays: null,
        fingerprint: async () => fingerprint,
        urlStorage: addresses,
        onBeforeRequest(request) {
          for (const [name, value] of Object.entries(callHeaders())) request.setHeader(name, value)
          watch.requestStarted(
            Math.min(Number(request.getHeader('Upload-Offset')) + CHUNK_BYTES, upload.file.size),
          )
        },
        onAfterResponse(request, response) {
          watch.requestStarted(Number.POSITIVE_INFINITY)
          // The library would begin anew after any refused HEAD, and give up what the server holds.
          const status = response.getStatus()
          if (request.getMethod() === 'HEAD' && status >= 400 && !GONE_STATUSES.includes(status))
            throw errorFromResponse(request, response)
        },
        onProgress(loaded) {
          watch.progressed(loaded)
          onProgress(loaded)
        },
        onSuccess({ lastResponse }) {
          addresses.forget(fingerprint)
          finish(() => resolve(receiptFrom(lastResponse)))
        },
        onError(error) {
          const trouble = translateTusError(error)
          const { kind } = tusTransport.failureOf(trouble)
          if (kind === 'refused' || isGone(error)) addresses.forget(fingerprint)
          finish(() => reject(trouble))
        },
      })
      sending.start()
    })
  },
  failureOf(error) {
    const status = statusOf(error)
    const reason = messageOf(error)
    const retry_after_ms = waits.get(error as WeakKey)
    if (retry_after_ms !== undefined) return { kind: 'busy', reason, retry_after_ms }
    if (status === undefined) return { kind: error instanceof ApiError ? 'unreachable' : 'failed', reason }
    return { kind: status === 401 || status >= 500 ? 'failed' : 'refused', reason }
  },
  discard(upload) {
    const fingerprint = fingerprintOf(upload)
    const address = addresses.find(fingerprint)
    addresses.forget(fingerprint)
    if (address === null) return
    const headers = callHeaders()
    // What cannot be told now, the server finds out by itself after a day.
    void library()
      .then(({ Upload }) => Upload.terminate(address, { headers, retryDelays: [500, 2_000, 5_000] }))
      .catch(() => {})
  },
}

const cancelled = () => new DOMException('Envio cancelado', 'AbortError')

/** tus carries texts only; what is not said is left out. */
const metadataOf = ({ order, file, fields }: Upload): Record<string, string> => ({
  order_id: String(order.id),
  filename: file.name,
  ...(fields.category && { category: fields.category }),
  ...(fields.description && { description: fields.description }),
})

/** What went wrong, in our own words: the library keeps the answer, or the error of a hook, inside its error. */
function translateTusError(error: Error | DetailedError): Error {
  if (!('originalRequest' in error)) return error
  const { originalRequest, originalResponse, causingError } = error
  if (originalResponse) return errorFromResponse(originalRequest, originalResponse)
  return causingError instanceof ApiError ? causingError : new ApiError(0, undefined)
}
const isGone = (error: Error | DetailedError) =>
  'originalRequest' in error && GONE_STATUSES.includes(error.originalResponse?.getStatus() ?? 0)

/** Errors that another try may mend, and how long a busy server wants to be left alone. */
const waits = new WeakMap<WeakKey, number>()

function errorFromResponse(request: HttpRequest, response: HttpResponse) {
  const status = response.getStatus()
  const isBegun = request.getMethod() !== 'POST'
  const error =
    isBegun && GONE_STATUSES.includes(status)
      ? new ApiError(status, GONE_TEXT)
      : request.getMethod() === 'HEAD' && status === 409
        ? new ApiError(status, BUSY_TEXT)
        : toApiError(status, response.getBody())
  // 409 of an upload that was begun: the server counts another offset, or still has the old connection.
  if (PASSING.includes(status) || (isBegun && [409, 423, ...GONE_STATUSES].includes(status)))
    waits.set(error, Number(response.getHeader('Retry-After') ?? 0) * 1_000)
  return error
}

/** Cuts what gives no sign any more; a half-open connection would wait for minutes. */
function watchConnection(onDead: () => void) {
  let until = Number.POSITIVE_INFINITY
  let movedAt = performance.now()
  let timer = setTimeout(onDead, STALLED_MS)
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(onDead, ms)
    movedAt = performance.now()
  }
  const retry = () => {
    if (performance.now() - movedAt > STALE_MS) onDead()
  }
  window.addEventListener('online', retry)
  return {
    /** The request under way ends at this byte of the file. */
    requestStarted(end: number) {
      until = Number.isNaN(end) ? Number.POSITIVE_INFINITY : end
      wait(STALLED_MS)
    },
    progressed: (loaded: number) => wait(loaded >= until ? UNANSWERED_MS : STALLED_MS),
    end() {
      clearTimeout(timer)
      window.removeEventListener('online', retry)
    },
  }
}

/** The last piece is answered like a plain upload; when that answer was lost, HEAD says that the file is there. */
function receiptFrom(response: HttpResponse): UploadReceipt {
  const body = response.getBody()
  if (body === '') return { is_new: true, notice: null }
  const { skipped } = JSON.parse(body) as UploadResult
  return { is_new: skipped.length === 0, notice: skipped[0]?.detail ?? null }
}
