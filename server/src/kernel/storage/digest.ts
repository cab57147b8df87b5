import { open } from 'node:fs/promises'
import { emptyDigest, type RunningDigest, updateDigest, writeStream } from './write-stream.ts'

export interface Digest {
  /** In hexadecimal. */
  sha256: string
  /** In bytes. */
  size: number
}

const finished = ({ hash, size }: RunningDigest): Digest => ({ sha256: hash.digest('hex'), size })

/** SHA-256 and size of what a stream brings. */
export async function digestOf(body: AsyncIterable<Buffer>): Promise<Digest> {
  const digest = emptyDigest()
  for await (const chunk of body) updateDigest(digest, chunk)
  return finished(digest)
}

/** Writes a stream to a new private file (mode 0600) while it is hashed. Throws `EEXIST` for a path that exists. */
export async function writeDigested(body: AsyncIterable<Buffer>, path: string): Promise<Digest> {
  const digest = emptyDigest()
  const file = await open(path, 'wx', 0o600)
  try {
    await writeStream(body, file, { start: 0, digest, isDisposable: false })
  } finally {
    await file.close()
  }
  return finished(digest)
}
