import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { ChangedObject } from './storage/read-recorded.ts'
import type { ByteRange, Storage, StoredFile } from './storage/storage.ts'
import type { StoredPiece, ZipLayout, ZipPiece } from './zip.ts'

/** Bytes per chunk, headers and files alike: every chunk costs a turn of the event loop. */
const BUFFER_BYTES = 1 << 20

/**
 * Buffers are reused, or one download would leave a gigabyte to the garbage collector. One is queued, one is
 * being sent, one is being filled: when a writer that applies backpressure asks for the fourth, the first is
 * no longer in use.
 */
const BUFFER_COUNT = 4

/**
 * Streams the ZIP, or a byte range of it. Chunks are reused: a consumer that keeps one instead of piping it
 * must copy it. Destroying the stream closes the open objects. Fails with ChangedObject when a stored object
 * has another size or CRC-32 than recorded.
 */
export function readZip(storage: Storage, layout: ZipLayout, range?: ByteRange): Readable {
  return Readable.from(buffersOf(storage, layout, range), { objectMode: false, highWaterMark: BUFFER_BYTES })
}

/** Fills the next buffer while the previous one is sent. */
async function* buffersOf(storage: Storage, layout: ZipLayout, range?: ByteRange) {
  const reader = readerOf(storage, layout, range ?? { start: 0, end: layout.size - 1 })
  let filling = ahead(reader.fill())
  try {
    for (let buffer = await filling; buffer.length > 0; buffer = await filling) {
      filling = ahead(reader.fill())
      yield buffer
    }
  } finally {
    await filling.catch(() => undefined)
    await reader.close()
  }
}
/** Defers a failure until its buffer is awaited, so that it is not an unhandled rejection. */
function ahead(filling: Promise<Buffer>) {
  filling.catch(() => undefined)
  return filling
}

function readerOf(storage: Storage, { pieces }: ZipLayout, { start, end }: ByteRange) {
  const buffers: Buffer[] = []
  let filled = 0
  let left = end - start + 1
  let turn = 0
  /** Offset within the current piece of the next byte to be read. */
  let from = start
  for (let piece = pieces[0]; piece && from >= piece.length; piece = pieces[++turn]) from -= piece.length
  let isWhole = from === 0
  let crc = 0
  const opened = new Map<StoredPiece, Promise<StoredFile>>()

  function nextBuffer() {
    const place = filled++ % BUFFER_COUNT
    buffers[place] ??= Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, left))
    return buffers[place]
  }

  function opening(piece: StoredPiece) {
    const file = opened.get(piece) ?? storage.open(piece.key)
    file.catch(() => undefined)
    opened.set(piece, file)
    return file
  }
  /** Opening takes as long as reading, so the next object is opened while this one is read. */
  function openNext() {
    const next = pieces.slice(turn + 1, turn + 3).find(isStored)
    if (next) opening(next)
  }
  async function close(piece: StoredPiece) {
    const file = await opened.get(piece)
    opened.delete(piece)
    await file?.close()
  }

  /** Reads the next bytes of a stored object into the buffer. */
  async function take(piece: StoredPiece, into: Buffer) {
    const file = await opening(piece)
    if (from + into.length === piece.length && into.length < left) openNext()
    if ((await file.read(into, from)) !== into.length) throw new ChangedObject(piece.key)
    crc = crc32(into, from === 0 ? 0 : crc)
    if (from + into.length === piece.length) await finish(piece)
  }

  /**
   * Breaks the download off when the bytes have changed in storage, so that a package that looks complete is
   * complete.
   */
  async function finish(piece: StoredPiece) {
    await close(piece)
    if (isWhole && crc !== piece.crc32) throw new ChangedObject(piece.key)
  }

  return {
    /** The next bytes; an empty buffer at the end. */
    async fill() {
      const buffer = nextBuffer().subarray(0, left)
      let used = 0
      while (used < buffer.length) {
        const piece = pieces[turn]
        if (!piece) throw new Error('a package shorter than its layout')
        const into = buffer.subarray(used, used + piece.length - from)
        if (isStored(piece)) await take(piece, into)
        else piece.copy(into, 0, from)
        used += into.length
        left -= into.length
        from += into.length
        if (from < piece.length) continue
        turn++
        from = 0
        isWhole = true
      }
      return buffer
    },
    async close() {
      await Promise.allSettled([...opened.keys()].map(close))
    },
  }
}

const isStored = (piece: ZipPiece): piece is StoredPiece => !(piece instanceof Buffer)
