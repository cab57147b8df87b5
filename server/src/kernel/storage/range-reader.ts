import { Readable } from 'node:stream'
import { StorageFault } from './storage.ts'

/** A response with the bytes from a position on; null when the object ends before it. */
export interface RangeResponse {
  body: Readable
  bytes: number
}
export type RangeRequest = (start: number, end?: number) => Promise<RangeResponse | null>

/** Reads the bytes of a remote object in order. */
export interface RangeReader {
  /** The next chunk; null at the end. */
  next(): Promise<Buffer | null>
  close(): void
}

/** Consecutive broken connections without a byte that are tolerated; the next one fails the read. */
const MOST_BREAKS = 4

/**
 * Sends the first request at once, so that a missing object is known before any byte is read. A connection
 * that breaks, also because a slow reader left it idle, is reopened at the same byte; StorageFault after five
 * failures in a row.
 */
export async function openRangeReader(ask: RangeRequest, start: number, end?: number): Promise<RangeReader> {
  let answer = guarded(await ask(start, end))
  let position = start
  const stop = start + (answer?.bytes ?? 0)
  let chunks = answer?.body[Symbol.asyncIterator]()
  let breaks = 0
  let isClosed = false

  async function reconnect(error: unknown) {
    if (isClosed || ++breaks > MOST_BREAKS)
      throw new StorageFault(`reading broke off at byte ${position} of ${stop}`, { cause: error })
    answer = guarded(await ask(position, stop - 1))
    chunks = answer?.body[Symbol.asyncIterator]()
    if (isClosed) releaseConnection()
  }
  function releaseConnection() {
    const body = answer?.body
    if (!body || body.destroyed) return
    // A connection whose response was read completely can be reused.
    if (position >= stop) body.resume()
    else body.destroy()
  }
  return {
    async next() {
      while (position < stop) {
        try {
          const { value, done } = (await chunks?.next()) ?? { value: undefined, done: true }
          if (done) throw new Error('the answer ended early')
          position += value.length
          breaks = 0
          return value
        } catch (error) {
          await reconnect(error)
        }
      }
      return null
    },
    close() {
      isClosed = true
      releaseConnection()
    },
  }
}

/** Ignores errors while nobody reads, which would otherwise be uncaught; the next read gets them. */
function guarded(answer: RangeResponse | null) {
  answer?.body.on('error', () => undefined)
  return answer
}

/** A stream over the reader; destroying it closes the reader. */
export function streamOf(reader: RangeReader, highWaterMark: number): Readable {
  return new Readable({
    highWaterMark,
    read() {
      reader.next().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      reader.close()
      done(error)
    },
  })
}
