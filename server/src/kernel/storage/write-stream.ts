import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { release } from '@garantia/shared/memory'

/** What is known of the bytes so far. */
export interface RunningDigest {
  size: number
  hash: Hash
  crc: number
}
export const emptyDigest = (): RunningDigest => ({ size: 0, hash: createHash('sha256'), crc: 0 })
export function updateDigest(digest: RunningDigest, chunk: Buffer) {
  digest.size += chunk.length
  digest.hash.update(chunk)
  digest.crc = crc32(chunk, digest.crc)
}

interface WriteOptions {
  start: number
  /** Follows the bytes as they are written; after a failure it is worth nothing. */
  digest: RunningDigest | null
  /** The chunks are nobody else's: their memory is given back once they are written. */
  isDisposable: boolean
  /** Throws when nothing more may be written. */
  assertWritable?: () => void
}

/** Bytes gathered before they are written: a turn of the disk's threads for every network packet is slow. */
export const BATCH = 1 << 20

/** Writes what comes from a place on and gives the place behind it. When the body breaks off, what had come is kept. */
export async function writeStream(
  body: AsyncIterable<Buffer>,
  file: FileHandle,
  { start, digest, isDisposable, assertWritable }: WriteOptions,
) {
  let position = start
  let gathered: Buffer[] = []
  let bytes = 0
  const write = async () => {
    assertWritable?.()
    const batch = gathered
    gathered = []
    bytes = 0
    const writing = writeAll(file, batch, position)
    // The disk works on it meanwhile.
    if (digest) for (const chunk of batch) updateDigest(digest, chunk)
    position = await writing
    if (isDisposable) for (const chunk of batch) release(chunk)
  }
  try {
    for await (const chunk of body) {
      gathered.push(chunk)
      bytes += chunk.length
      if (bytes >= BATCH) await write()
    }
  } finally {
    if (bytes > 0) await write()
  }
  return position
}

/** A disk that is nearly full takes a part of what it is given. */
async function writeAll(file: FileHandle, chunks: Buffer[], position: number) {
  let rest = chunks
  let at = position
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, at)
    at += bytesWritten
    while (rest[0] && bytesWritten >= rest[0].length) {
      bytesWritten -= rest[0].length
      rest = rest.slice(1)
    }
    if (rest[0] && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)]
  }
  return at
}
