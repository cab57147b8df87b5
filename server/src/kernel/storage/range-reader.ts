import { Readable } from 'node:stream'
import { StorageFault } from './storage.ts'

/** An answer with the bytes from a place on; null when the object ends before it. */
export interface RangeResponse {
  body: Readable
  bytes: number
}
export type RangeRequest = (start: number, end?: number) => Promise<RangeResponse | null>

/** Bytes of a remote object in their order. */
export interface RangeReader {
  /** The next ones; null at the end. */
  next(): Promise<Buffer | null>
  close(): void
}

/** Times a connection may break without having brought anything. */
const MOST_BREAKS = 4

/**
 * Opens with the first answer, so that what is absent is known before a byte is asked for. A connection that
 * breaks, also because a slow reader let it idle, is taken up again where it broke.
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
    // A connection that has brought everything serves again.
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

/** A connection may break while nobody reads; whoever reads next is told. */
function guarded(answer: RangeResponse | null) {
  answer?.body.on('error', () => undefined)
  return answer
}

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
