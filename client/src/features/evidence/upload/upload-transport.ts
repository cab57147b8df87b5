import type { UploadResult } from '@garantia/shared/evidence/schema'
import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client'
import { API, toApiError } from '../../../lib/files.ts'
import { ApiError, messageOf, statusOf } from '../../../lib/messages.ts'
import type { Transport, Upload, UploadFailure, UploadReceipt } from './upload-item.ts'
import { createUploadUrlStorage, fingerprintOf } from './upload-url-storage.ts'

/** Bytes per request: small enough to stay within every timeout between client and server (D-22). */
const CHUNK_BYTES = 8 * 1024 * 1024
/** Files up to this size are sent with the creation request: if its response is lost, they are sent twice. */
const AT_ONCE_BYTES = 2 * 1024 * 1024
/** Without any progress for this long the connection is aborted and retried: a dead peer gives no error. */
const STALLED_MS = 30_000
/** Longer timeout once a whole chunk is sent: the server may be hashing and checking the file. */
const UNANSWERED_MS = 180_000
/** When the network comes back, a request without progress for this long is stuck on the old connection. */
const STALE_MS = 3_000

/** Statuses about the state of the server, not about the file: retry. */
const RETRYABLE_STATUSES = [408, 429, 502, 503, 504]
/** A longer Retry-After is left to the person: the file would keep its slot, and the others would wait. */
const LONGEST_WAIT_MS = 120_000
/** The server no longer has this upload; the next attempt starts over. */
const GONE_STATUSES = [404, 410]
/** Too large, of a type that nobody accepts, or not what it says. */
const ABOUT_FILE = [413, 415, 422]
const GONE_TEXT = 'O servidor não guardou o que já foi enviado. O envio recomeça.'
const BUSY_TEXT = 'O servidor ainda encerra a conexão anterior.'

const loadTus = () => import('tus-js-client')
const addresses = createUploadUrlStorage()

export interface Way {
  /** Below the REST API, as «/uploads». */
  path: string
  headers: () => Record<string, string>
  /** The server no longer accepts what the headers say of the person. */
  onSignedOut?: () => void
}
/**
 * Transport over the tus protocol with tus-js-client. Its own retries are off: the queue decides about them,
 * as it knows the other pending files.
 */
export const createTusTransport = ({ path, headers, onSignedOut }: Way): Transport => ({
  async send(upload, { signal, onProgress }) {
    const tus = await loadTus().catch(() => {
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
        endpoint: new URL(`${API}${path}`, location.origin).href,
        uploadUrl: addresses.find(fingerprint),
        metadata: metadataOf(upload),
        chunkSize: CHUNK_BYTES,
        uploadDataDuringCreation: upload.file.size <= AT_ONCE_BYTES,
        retryDelays: null,
        fingerprint: async () => fingerprint,
        urlStorage: addresses,
        onBeforeRequest(request) {
          for (const [name, value] of Object.entries(headers())) request.setHeader(name, value)
          watch.requestStarted(
            Math.min(Number(request.getHeader('Upload-Offset')) + CHUNK_BYTES, upload.file.size),
          )
        },
        onAfterResponse(request, response) {
          watch.requestStarted(Number.POSITIVE_INFINITY)
          // The library would start a new upload after any failed HEAD and abandon the bytes on the server.
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
          const translated = translateTusError(error)
          const { kind } = failureOf(translated)
          if (statusOf(translated) === 401) onSignedOut?.()
          if (kind === 'refused' || isGone(error)) addresses.forget(fingerprint)
          finish(() => reject(translated))
        },
      })
      sending.start()
    })
  },
  failureOf,
  discard(upload) {
    const fingerprint = fingerprintOf(upload)
    const address = addresses.find(fingerprint)
    addresses.forget(fingerprint)
    if (address === null) return
    const own = headers()
    // If this fails, the server deletes the upload by itself after a day.
    void loadTus()
      .then(({ Upload }) => Upload.terminate(address, { headers: own, retryDelays: [500, 2_000, 5_000] }))
      .catch(() => {})
  },
})

function failureOf(error: unknown): UploadFailure {
  const status = statusOf(error)
  const reason = messageOf(error)
  const retry_after_ms = waits.get(error as WeakKey)
  if (retry_after_ms !== undefined && retry_after_ms <= LONGEST_WAIT_MS)
    return { kind: 'busy', reason, retry_after_ms }
  if (status === undefined) return { kind: error instanceof ApiError ? 'unreachable' : 'failed', reason }
  const isRefused = status !== 401 && status !== 429 && status < 500
  return { kind: isRefused ? 'refused' : 'failed', reason, is_about_file: ABOUT_FILE.includes(status) }
}

const cancelled = () => new DOMException('Envio cancelado', 'AbortError')

/** tus metadata values are strings; absent fields are left out. */
const metadataOf = ({ order, file, fields }: Upload): Record<string, string> => ({
  order_id: String(order.id),
  filename: file.name,
  ...(fields.category && { category: fields.category }),
  ...(fields.description && { description: fields.description }),
  ...(fields.capture_nonce && { capture_nonce: fields.capture_nonce }),
  ...(fields.captured_at && { captured_at: fields.captured_at }),
})

/**
 * Unwraps a tus-js-client error: the library keeps the HTTP response, or the error thrown by a hook, inside
 * its own.
 */
function translateTusError(error: Error | DetailedError): Error {
  if (!('originalRequest' in error)) return error
  const { originalRequest, originalResponse, causingError } = error
  if (originalResponse) return errorFromResponse(originalRequest, originalResponse)
  return causingError instanceof ApiError ? causingError : new ApiError(0, undefined)
}
const isGone = (error: Error | DetailedError) =>
  'originalRequest' in error && GONE_STATUSES.includes(error.originalResponse?.getStatus() ?? 0)

/** Retryable errors, with the server's Retry-After in ms (0 when absent). */
const waits = new WeakMap<WeakKey, number>()

function errorFromResponse(request: HttpRequest, response: HttpResponse) {
  const status = response.getStatus()
  const isExisting = request.getMethod() !== 'POST'
  const error =
    isExisting && GONE_STATUSES.includes(status)
      ? new ApiError(status, GONE_TEXT)
      : request.getMethod() === 'HEAD' && status === 409
        ? new ApiError(status, BUSY_TEXT)
        : toApiError(status, response.getBody())
  // 409 on an existing upload: the server has another offset, or still holds the old connection.
  if (RETRYABLE_STATUSES.includes(status) || (isExisting && [409, 423, ...GONE_STATUSES].includes(status)))
    waits.set(error, Number(response.getHeader('Retry-After') ?? 0) * 1_000)
  return error
}

/** Aborts a request without progress; a half-open TCP connection would otherwise hang for minutes. */
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
    /** `end` is the offset in the file at which the current request ends. */
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

/**
 * The last chunk is answered like a plain upload; if that response was lost, HEAD reports the complete file
 * without a body.
 */
function receiptFrom(response: HttpResponse): UploadReceipt {
  const body = response.getBody()
  const named = Number(response.getHeader('upload-evidence-id')) || null
  if (body === '') return { is_new: true, notice: null, evidence_id: named }
  const { skipped } = JSON.parse(body) as Pick<UploadResult, 'skipped'>
  return { is_new: skipped.length === 0, notice: skipped[0]?.detail ?? null, evidence_id: named }
}
