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
  /** The same after the page was left; in the order of adding. */
  readonly id: string
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
  /**
   * Whether the device keeps it until it has arrived, also when this page is left; absent until that is known, and at
   * desks.
   */
  readonly is_kept?: boolean
  /** Of a page that is gone, which may have sent it whole. */
  readonly is_taken_over?: boolean
  /** Refused for what it is itself. */
  readonly is_about_file?: boolean
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
  /** Refused for what it is itself; otherwise its order may have another state another day. */
  is_about_file?: boolean
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

export interface KeptUpload extends Pick<Upload, 'id' | 'person' | 'order' | 'file' | 'fields'> {
  /** Somebody has paused it. */
  is_paused: boolean
}
/** Keeps what is to be sent on the device until it has arrived; tests pass a fake. */
export interface UploadStore {
  /** Resolves when it is on the device; rejects when the device has no room, or keeps nothing for pages. */
  keep(upload: Upload): Promise<void>
  forget(ids: readonly string[]): Promise<void>
  setPaused(ids: readonly string[], isPaused: boolean): Promise<void>
  /** What pages that are gone have left of this person's, in the order of adding; it is this page's now. */
  takeOver(person: number): Promise<KeptUpload[]>
}

type State = Pick<UploadItem, 'state' | 'is_kept' | 'is_about_file'>
/** The same for a file that was picked twice; another of the same name differs in size or date. */
export const fileIdentity = ({ lastModified, size, name }: File) => `${lastModified}/${size}/${name}`
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
/** The device keeps it although it was refused: its order may take it another day, and there may be no other copy. */
export const mayPassLater = ({ state, is_kept, is_about_file }: State) =>
  state === 'refused' && is_kept === true && is_about_file === false
/** Was sent off and has not arrived, whatever holds it up. */
export const isUnsent = (item: State) => (!isOver(item) && item.state !== 'chosen') || mayPassLater(item)
export const isStopped = ({ state }: State) => state === 'failed' || state === 'paused'
export const hasEnded = (item: UploadItem) => isOver(item) || item.state === 'failed'
