import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ByteRange, Storage, StoredFile } from './storage/storage.ts'
import type { ZipLayout, ZipPiece } from './zip.ts'

/** A stored object whose bytes are not those that were recorded. */
export class ChangedObject extends Error {
  readonly key: string
  constructor(key: string) {
    super(`stored object is not what was recorded: ${key}`)
    this.key = key
  }
}

/** Bytes handed on at a time, headers and the files between them alike: every hand-over costs a turn of the event loop. */
const SLAB = 1 << 20

/**
 * Slabs are used again, or a download would leave a gigabyte for the garbage collector. One waits here, one is
 * being sent, one is filled ahead: when a writer that holds back its reader asks for the fourth, the first is gone.
 */
const SLABS = 4

/**
 * The whole, or a range of it, to be piped or read chunk by chunk; who keeps a chunk has to copy it. A reader
 * who goes away closes what is open.
 */
export function readZip(storage: Storage, layout: ZipLayout, range?: ByteRange): Readable {
  return Readable.from(slabsOf(storage, layout, range), { objectMode: false, highWaterMark: SLAB })
}

/** The next slab is filled while the one before it is sent. */
async function* slabsOf(storage: Storage, layout: ZipLayout, range?: ByteRange) {
  const reader = readerOf(storage, layout, range ?? { start: 0, end: layout.size - 1 })
  let filling = ahead(reader.fill())
  try {
    for (let slab = await filling; slab.length > 0; slab = await filling) {
      filling = ahead(reader.fill())
      yield slab
    }
  } finally {
    await filling.catch(() => undefined)
    await reader.close()
  }
}
/** A failure is told when its slab is asked for. */
function ahead(filling: Promise<Buffer>) {
  filling.catch(() => undefined)
  return filling
}

/** A part of a piece that the range touches; `to` is its last byte. */
interface Part {
  piece: ZipPiece
  from: number
  to: number
}

function readerOf(storage: Storage, { pieces }: ZipLayout, { start, end }: ByteRange) {
  const parts = pieces
    .map((piece): Part => {
      return {
        piece,
        from: Math.max(0, start - piece.start),
        to: Math.min(piece.size - 1, end - piece.start),
      }
    })
    .filter(({ from, to }) => from <= to)
  const slabs: Buffer[] = []
  let filled = 0
  let left = parts.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  let turn = 0
  let crc = 0
  const opened = new Map<Part, Promise<StoredFile>>()

  function nextSlab() {
    const place = filled++ % SLABS
    slabs[place] ??= Buffer.allocUnsafeSlow(Math.min(SLAB, left))
    return slabs[place]
  }

  /** Opening takes as long as reading: the next object is opened while this one is read. */
  function opening(part: Part | undefined) {
    if (!part || typeof part.piece.source !== 'string') return undefined
    const held = opened.get(part) ?? storage.open(part.piece.source)
    held.catch(() => undefined)
    opened.set(part, held)
    return held
  }
  async function close(part: Part) {
    const file = await opened.get(part)
    opened.delete(part)
    await file?.close()
  }

  /** Copies what it may of one part into the slab; answers how many bytes. */
  async function take(part: Part, room: Buffer) {
    const { piece, from, to } = part
    const into = room.subarray(0, to - from + 1)
    if (typeof piece.source !== 'string') {
      piece.source.copy(into, 0, from)
      return into.length
    }
    const file = await opening(part)
    if (into.length === to - from + 1) opening(parts.slice(turn + 1, turn + 3).find(isStored))
    if (!file || (await file.read(into, from)) !== into.length) throw new ChangedObject(piece.source)
    crc = crc32(into, from === 0 ? 0 : crc)
    return into.length
  }

  return {
    /** The next bytes, none at the end. */
    async fill() {
      const slab = nextSlab().subarray(0, left)
      let used = 0
      while (used < slab.length) {
        const part = parts[turn]
        if (!part) throw new Error('a package shorter than its layout')
        const taken = await take(part, slab.subarray(used))
        used += taken
        part.from += taken
        if (part.from > part.to) await finish(part)
      }
      left -= used
      return slab
    },
    async close() {
      await Promise.allSettled([...opened.keys()].map(close))
    },
  }

  /** Bytes that changed in storage break the download off: a package that looks whole must be whole. */
  async function finish(part: Part) {
    const { piece } = part
    turn++
    await close(part)
    const isWhole = start <= piece.start && part.to === piece.size - 1
    if (typeof piece.source === 'string' && isWhole && crc !== piece.crc32)
      throw new ChangedObject(piece.source)
  }
}

const isStored = ({ piece }: Part) => typeof piece.source === 'string'
