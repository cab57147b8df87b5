import { uploadFile } from '../../lib/files.ts'
import { ApiError, messageOf, statusOf } from '../../lib/messages.ts'
import type { Transport } from './upload-queue.ts'

/** Answers that speak of the server's moment, not of the file. */
const PASSING = [408, 429, 502, 503, 504]

export const transportTo = (order_id: number): Transport => ({
  send: (file, fields, { signal, onProgress }) =>
    uploadFile(order_id, file, {
      ...fields,
      signal,
      onProgress: (share) => onProgress(Math.round(share * file.size)),
    }),
  isPassing(error) {
    const status = statusOf(error)
    return status === undefined ? error instanceof ApiError : PASSING.includes(status)
  },
  reasonOf: (error) => messageOf(error),
})
