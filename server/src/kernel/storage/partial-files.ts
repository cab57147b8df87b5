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
  /** The chunks are nobody else's. */
  isDisposable: boolean
  /** Throws when another process has taken over. */
  assertWritable: () => void
}

/** Files that arrive in pieces. They grow below DATA_DIR: on a disk storage's own disk, so that a whole one is renamed into it. */
export interface PartialFiles {
  /** Bytes that are there for good, also after a power cut; 0 when nothing came yet. */
  size(id: string): Promise<number>
  /**
   * Writes a piece and gives the new size. What is short of the whole is synced; the whole is not, since
   * the storage does so as it takes it over. When the body breaks off, what had come is kept.
   */
  append(id: string, piece: Piece): Promise<number>
  digest(id: string): Promise<Digest>
  path(id: string): string
  remove(id: string): Promise<void>
  list(): AsyncIterable<StoredEntry>
  /** Free bytes of the disk. */
  freeBytes(): Promise<number>
}

/** Parts whose digest goes along in memory; others are read again when they are whole. */
const MOST_RUNNING = 2_000

export function openPartialFiles(dir: string): PartialFiles {
  const running = new Map<string, RunningDigest>()
  const path = (id: string) => join(dir, id)

  /** The digest of the bytes so far, when this process has seen all of them. */
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
        // What a killed process wrote without a promise is promised by this answer.
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
    async freeBytes() {
      // The folder itself comes with its first part.
      const { bavail, bsize } = await statfs(dirname(dir))
      return bavail * bsize
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

/** The name of a new file is as durable as its bytes only then. */
async function syncFolder(dir: string) {
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
