import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { release } from '@garantia/shared/memory'

/** Size and running checksums of the bytes so far. */
export interface RunningDigest {
  size: number
  hash: Hash
  crc: number
}
/** The digest of no bytes. */
export const emptyDigest = (): RunningDigest => ({ size: 0, hash: createHash('sha256'), crc: 0 })
/** Adds a chunk to the digest, in place. */
export function updateDigest(digest: RunningDigest, chunk: Buffer) {
  digest.size += chunk.length
  digest.hash.update(chunk)
  digest.crc = crc32(chunk, digest.crc)
}

interface WriteOptions {
  start: number
  /** Updated with the bytes as they are written; invalid after a failed write. */
  digest: RunningDigest | null
  /** No other code uses the chunks: their memory is released once they are written. */
  isDisposable: boolean
  /** Called before each write; throws when no more may be written. */
  assertWritable?: () => void
}

/** Bytes collected before a write: one call to the thread pool per network packet is slow. */
export const BATCH = 1 << 20

/**
 * Writes the body at `start` and returns the position after its last byte. When the body fails, the bytes
 * received so far are written and the error is thrown.
 */
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
    // The digest is computed while the disk writes.
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

/** Repeats the write until all chunks are written: a nearly full disk may accept only a part. */
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
