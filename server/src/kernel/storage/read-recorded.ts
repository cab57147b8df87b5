import { crc32 } from 'node:zlib'
import type { Storage } from './storage.ts'

/** A stored object whose bytes are not the recorded ones. Breaks off a download that has begun. */
export class ChangedObject extends Error {
  readonly key: string
  constructor(key: string) {
    super(`stored object is not what was recorded: ${key}`)
    this.key = key
  }
}

const CHUNK_BYTES = 1 << 20

/** The bytes of a stored object. Throws ChangedObject at its end when their number or CRC-32 is another. */
export async function* readRecorded(
  storage: Storage,
  recorded: { key: string; size: number; crc32: number },
) {
  const file = await storage.open(recorded.key)
  try {
    let crc = 0
    for (let from = 0; from < recorded.size; from += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, recorded.size - from))
      if ((await file.read(chunk, from)) !== chunk.length) throw new ChangedObject(recorded.key)
      crc = crc32(chunk, crc)
      yield chunk
    }
    if (crc !== recorded.crc32) throw new ChangedObject(recorded.key)
  } finally {
    await file.close()
  }
}
