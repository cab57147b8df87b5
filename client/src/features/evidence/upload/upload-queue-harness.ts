import { vi } from 'vitest'
import { keepUploads } from './keep-uploads.ts'
import type { Transport, Upload, UploadFailure, UploadReceipt, UploadStore } from './upload-item.ts'
import { createUploadQueue } from './upload-queue.ts'

export const photo = (name: string, size = 1_000) =>
  new File([new Uint8Array(size)], name, { lastModified: 1 })
export const photos = (...names: string[]) => names.map((name) => photo(name))
export const acceptedReceipt: UploadReceipt = { is_new: true, notice: null }
export const duplicateReceipt: UploadReceipt = { is_new: false, notice: 'Este arquivo já está na OS' }
export const order = { id: 7, os_number: '000123' }
export const other = { id: 8, os_number: '000124' }
export const ANA = 1
export const BIA = 2

export class Failure extends Error {
  readonly failure: UploadFailure
  constructor(kind: UploadFailure['kind'], reason: string, retry_after_ms = 0, is_about_file = true) {
    super(reason)
    this.failure = { kind, reason, retry_after_ms, is_about_file }
  }
}
export const offline = () => new Failure('unreachable', 'Sem conexão')

function missing(what: string): never {
  throw new Error(what)
}

/** Fake transport whose responses the test gives file by file. */
export function createUploadHarness({
  now,
  person = ANA,
  store,
}: {
  now?: () => number
  person?: number | null
  store?: UploadStore
} = {}) {
  const calls: {
    upload: Upload
    progress: (loaded: number) => void
    answer: (receipt: UploadReceipt) => void
    fail: (error: Error) => void
    isStopped: () => boolean
  }[] = []
  const discarded: string[] = []
  const transport: Transport = {
    send: (upload, { signal, onProgress }) =>
      new Promise((answer, fail) => {
        signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')))
        calls.push({ upload, progress: onProgress, answer, fail, isStopped: () => signal.aborted })
      }),
    failureOf: (error) =>
      error instanceof Failure ? error.failure : { kind: 'failed', reason: (error as Error).message },
    discard: ({ file }) => void discarded.push(file.name),
  }
  const queue = createUploadQueue(transport, { ...(now && { now }) })
  if (store) keepUploads(queue, store)
  queue.setOwner(person)
  const last = (name: string) =>
    calls.findLast(({ upload }) => upload.file.name === name) ?? missing(`${name} was not sent`)
  const states = () => Object.fromEntries(queue.items().map(({ file, state }) => [file.name, state]))
  const sent = () => calls.map(({ upload }) => upload.file.name)
  const itemOf = (name: string) =>
    queue.items().find(({ file }) => file.name === name) ?? missing(`${name} is not listed`)
  const endedReports: [string, string[]][] = []
  queue.onEnded(({ os_number }, ended) => {
    endedReports.push([os_number, ended.map(({ file }) => file.name)])
  })
  return { queue, calls, last, states, sent, itemOf, discarded, endedReports }
}
export const flushPromises = () => vi.advanceTimersByTimeAsync(0)
