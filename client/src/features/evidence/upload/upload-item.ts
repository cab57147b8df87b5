import type { UploadFields } from '@garantia/shared/evidence/schema'

export interface UploadOrder {
  readonly id: number
  readonly os_number: string
}

/**
 * «chosen» waits for Enviar, «waiting» for a free line, «offline» for the network, «retrying» for a server
 * that is busy. «failed» may be tried again; «refused» is the server's last word on that file.
 */
export type UploadState =
  | 'chosen'
  | 'waiting'
  | 'sending'
  | 'offline'
  | 'retrying'
  | 'paused'
  | 'sent'
  | 'already_there'
  | 'refused'
  | 'failed'

/** What is sent, where to and by whom. */
export interface Upload {
  readonly key: number
  readonly person: number
  readonly order: UploadOrder
  readonly file: File
  readonly fields: UploadFields
}

export interface UploadItem extends Upload {
  readonly state: UploadState
  /** Bytes the network took so far. */
  readonly loaded: number
  readonly bytes_per_second: number
  readonly tries: number
  /** Portuguese reason of a refusal, a failure or a pause. */
  readonly reason: string | null
}

/** What became of a file that the server has whole. */
export interface UploadReceipt {
  /** False when the order had the same bytes before. */
  is_new: boolean
  notice: string | null
}

/** Why a file did not arrive: no answer at all, a busy server, a broken server, or the file itself. */
export interface UploadFailure {
  kind: 'unreachable' | 'busy' | 'failed' | 'refused'
  reason: string
  retry_after_ms?: number
}

/** What the queue needs to know of the world; a test hands in another one. */
export interface Transport {
  /** Goes on where an earlier try of the same file ended. */
  send(
    upload: Upload,
    options: { signal: AbortSignal; onProgress: (loaded: number) => void },
  ): Promise<UploadReceipt>
  failureOf(error: unknown): UploadFailure
  /** Nobody will send the rest: what the server holds of it may go. */
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
const UNDER_WAY: readonly UploadState[] = ['waiting', 'sending', 'offline', 'retrying']
const DONE: readonly UploadState[] = ['sent', 'already_there', 'refused']
export const isUnderWay = ({ state }: State) => UNDER_WAY.includes(state)
export const isOver = ({ state }: State) => DONE.includes(state)
export const isStopped = ({ state }: State) => state === 'failed' || state === 'paused'
export const hasEnded = (item: UploadItem) => isOver(item) || item.state === 'failed'
