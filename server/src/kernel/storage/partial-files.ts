import { createReadStream } from 'node:fs'
import { constants, type FileHandle, mkdir, open, opendir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nullIfMissing } from './disk.ts'
import type { StoredEntry } from './storage.ts'
import { BATCH, emptyDigest, type RunningDigest, updateDigest, writeStream } from './write-stream.ts'

export interface Digest {
  size: number
  sha256: string
  crc32: number
}

interface Piece {
  start: number
  /** Size of the whole file. */
  totalSize: number
  body: AsyncIterable<Buffer>
  /** No other code uses the chunks, so their memory may be released. */
  isDisposable: boolean
  /** Throws when another process may have taken over the upload. */
  assertWritable: () => void
}

/**
 * Files that arrive in pieces. They grow below DATA_DIR, on the same disk as a disk storage, so that a
 * complete file is renamed into it.
 */
export interface PartialFiles {
  /** Bytes stored durably (synced), also after a power failure; 0 when nothing has arrived yet. */
  size(id: string): Promise<number>
  /**
   * Writes a piece and returns the new size in bytes. An incomplete file is synced; a complete one is not,
   * since the storage syncs it when it takes it over. When the body fails, the bytes received so far are kept
   * and the error is thrown.
   */
  append(id: string, piece: Piece): Promise<number>
  /**
   * Size, SHA-256 and CRC-32 of the bytes so far; reads the file again when this process did not write all of
   * it. Throws `ENOENT` when there is none.
   */
  digest(id: string): Promise<Digest>
  /** Local path of the file, whether or not it exists. */
  path(id: string): string
  /** Removes the file; no error when there is none. */
  remove(id: string): Promise<void>
  /** Every partial file. */
  list(): AsyncIterable<StoredEntry>
  /** Bytes of the disk: free for this process, and all. */
  space(): Promise<{ free: number; total: number }>
}

/**
 * Number of files whose running digest is kept in memory; the others are read again when they are complete.
 */
const MOST_RUNNING = 2_000

/** Partial files in `dir`, one per upload id. The folder is created with its first file. */
export function openPartialFiles(dir: string): PartialFiles {
  const running = new Map<string, RunningDigest>()
  const path = (id: string) => join(dir, id)

  /** The digest of the bytes before `start`, if this process has seen all of them; else null. */
  function digestTo(id: string, start: number): RunningDigest | null {
    const known = running.get(id)
    running.delete(id)
    if (start > 0) return known?.size === start ? known : null
    return emptyDigest()
  }
  function remember(id: string, digest: RunningDigest) {
    running.set(id, digest)
    const [oldest] = running.keys()
    if (running.size > MOST_RUNNING && oldest !== undefined) running.delete(oldest)
  }

  return {
    path,
    async size(id) {
      const file = await open(path(id), 'r').catch(nullIfMissing)
      if (!file) return 0
      try {
        // Bytes that a killed process wrote without syncing are acknowledged by this answer.
        await file.datasync()
        return (await file.stat()).size
      } finally {
        await file.close()
      }
    },
    async append(id, { start, totalSize, ...piece }) {
      const file = await create(dir, path(id))
      const digest = digestTo(id, start)
      let position = start
      try {
        try {
          position = await writeStream(piece.body, file, { start, digest, ...piece })
        } finally {
          if (position < totalSize) await file.datasync()
        }
        if (start === 0 && position < totalSize) await syncFolder(dir)
        if (digest) remember(id, digest)
        return position
      } finally {
        await file.close()
      }
    },
    async digest(id) {
      const { size } = await stat(path(id))
      const known = running.get(id)
      const { hash, crc } = known?.size === size ? known : await readAnew(path(id))
      return { size, sha256: hash.copy().digest('hex'), crc32: crc }
    },
    async remove(id) {
      running.delete(id)
      await rm(path(id), { force: true })
    },
    async *list() {
      const entries = await opendir(dir).catch(nullIfMissing)
      if (!entries) return
      for await (const { name } of entries) {
        const found = await stat(path(name)).catch(nullIfMissing)
        if (found) yield { key: name, size: found.size, modified_at: found.mtime }
      }
    },
    async space() {
      // The folder itself is created with the first file.
      const { bavail, blocks, bsize } = await statfs(dirname(dir))
      return { free: bavail * bsize, total: blocks * bsize }
    },
  }
}

async function readAnew(path: string): Promise<RunningDigest> {
  const digest = emptyDigest()
  for await (const chunk of createReadStream(path, { highWaterMark: BATCH })) updateDigest(digest, chunk)
  return digest
}

async function create(dir: string, path: string): Promise<FileHandle> {
  const opened = () => open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  const file = await opened().catch(nullIfMissing)
  if (file) return file
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return opened()
}

/** Makes the name of a new file durable: syncing the file alone does not. */
async function syncFolder(dir: string) {
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
