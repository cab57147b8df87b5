import type { CaptureFields } from '@garantia/shared/evidence/capture'
import type { UploadFields } from '@garantia/shared/evidence/schema'

export interface UploadOrder {
  readonly id: number
  readonly os_number: string
}

/**
 * «chosen» waits for Enviar, «queued» for a free slot, «offline» for the network, «retrying» for a busy
 * server. «failed» may be retried; «refused» is the server's final answer for that file.
 */
export type UploadState =
  | 'chosen'
  | 'queued'
  | 'sending'
  | 'offline'
  | 'retrying'
  | 'paused'
  | 'sent'
  | 'already_there'
  | 'refused'
  | 'failed'

/** What is sent with a file; a photo of the app's own camera has more to say. */
export type SentFields = UploadFields & CaptureFields

/** What to send, to which order and as which user. */
export interface Upload {
  readonly key: number
  readonly person: number
  readonly order: UploadOrder
  readonly file: File
  readonly fields: SentFields
}

export interface UploadItem extends Upload {
  readonly state: UploadState
  /** Its category when it was chosen for this file alone, before it is sent. */
  readonly own?: Pick<UploadFields, 'category'>
  /** Bytes sent so far. */
  readonly loaded: number
  readonly bytes_per_second: number
  readonly tries: number
  /** Of the file that it has become, or that the order had already. */
  readonly evidence_id?: number | null
  /** Reason of a refusal, a failure or a pause, in Portuguese. */
  readonly reason: string | null
}

/** Result of a complete upload. */
export interface UploadReceipt {
  /** False when the order already had a file with the same bytes. */
  is_new: boolean
  /** Absent where the server does not tell. */
  evidence_id?: number | null
  notice: string | null
}

/** Why an upload failed: no response, a busy server, a server error, or the file itself. */
export interface UploadFailure {
  kind: 'unreachable' | 'busy' | 'failed' | 'refused'
  reason: string
  retry_after_ms?: number
}

/** Transport used by the queue; tests pass a fake. */
export interface Transport {
  /** Resumes where an earlier attempt for the same file ended. */
  send(
    upload: Upload,
    options: { signal: AbortSignal; onProgress: (loaded: number) => void },
  ): Promise<UploadReceipt>
  failureOf(error: unknown): UploadFailure
  /** The upload will not be continued: the server may delete the received bytes. */
  discard(upload: Upload): void
}

type State = Pick<UploadItem, 'state'>
export type UploadPredicate = (item: UploadItem) => boolean
export const byKey =
  (key: number): UploadPredicate =>
  (item) =>
    item.key === key
export const byOrder =
  (id: number): UploadPredicate =>
  ({ order }) =>
    order.id === id
const UNDER_WAY: readonly UploadState[] = ['queued', 'sending', 'offline', 'retrying']
const DONE: readonly UploadState[] = ['sent', 'already_there', 'refused']
export const isUnderWay = ({ state }: State) => UNDER_WAY.includes(state)
export const isOver = ({ state }: State) => DONE.includes(state)
export const isStopped = ({ state }: State) => state === 'failed' || state === 'paused'
export const hasEnded = (item: UploadItem) => isOver(item) || item.state === 'failed'
