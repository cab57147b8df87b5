import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { createHashing } from './hashing.ts'
import type { Storage, StoredEntry } from './storage.ts'

const PRIVATE_DIR = 0o700
const READ_ONLY = 0o400
/** Bytes per read: media is large, and every chunk costs a turn of the event loop. */
const CHUNK = 512 * 1024

/**
 * Storage in a folder. A file appears under its key only when it is complete: it is renamed. Its bytes and
 * its name are synced when the call returns; before that a power failure may leave only the beginning of it.
 * Files are read-only (mode 0400), folders private (0700). Throws when a key would leave the folder.
 */
export function diskStorage(folder: string): Storage {
  const root = resolve(folder)
  const hashing = createHashing()
  const pathOf = (key: string) => {
    const path = resolve(root, key)
    if (!path.startsWith(root + sep)) throw new Error(`storage key leaves its folder: ${key}`)
    return path
  }
  return {
    async moveIn(key, path) {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: PRIVATE_DIR })
      const file = await open(path, 'r')
      try {
        await file.chmod(READ_ONLY)
        await rename(path, target)
        // Together, so that a journalling file system writes its journal once: most of the time of a small
        // file.
        await Promise.all([file.sync(), sync(dirname(target))])
      } finally {
        await file.close()
      }
    },
    async fetch(key, path) {
      // A reflink where the file system supports it, a copy elsewhere; never a hard link, through which a
      // tool could write to the original.
      await copyFile(pathOf(key), path, constants.COPYFILE_FICLONE)
      await chmod(path, 0o600)
    },
    localPath: async (key) => pathOf(key),
    async read(key, range): Promise<Readable> {
      const file = await open(pathOf(key), 'r')
      return file.createReadStream({ ...range, highWaterMark: CHUNK })
    },
    async open(key) {
      const file = await open(pathOf(key), 'r')
      return { read: (into, position) => filled(file, into, position), close: () => file.close() }
    },
    async size(key) {
      return (await stat(pathOf(key)).catch(nullIfMissing))?.size ?? null
    },
    hashes: async (objects) => hashing.hashes(objects.map(({ key, size }) => ({ path: pathOf(key), size }))),
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rmdir(dirname(path)).catch(() => undefined)
    },
    list: (folder) => below(folder ? pathOf(folder) : root),
    close: hashing.close,
  }

  async function* below(dir: string): AsyncGenerator<StoredEntry> {
    const entries = await opendir(dir).catch(nullIfMissing)
    if (!entries) return
    for await (const entry of entries) {
      const path = join(dir, entry.name)
      if (entry.isDirectory()) yield* below(path)
      else {
        const found = await stat(path).catch(nullIfMissing)
        if (found)
          yield {
            key: relative(root, path).split(sep).join('/'),
            size: found.size,
            modified_at: found.mtime,
          }
      }
    }
  }

  async function sync(path: string) {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/** Reads until the buffer is full or the file ends; a single read may return fewer bytes. */
async function filled(file: FileHandle, into: Buffer, position: number) {
  let used = 0
  while (used < into.length) {
    const { bytesRead } = await file.read(into, used, into.length - used, position + used)
    if (bytesRead === 0) break
    used += bytesRead
  }
  return used
}

/**
 * Error handler: null when a file does not exist (ENOENT), also when it was removed meanwhile; rethrows any
 * other error.
 */
export function nullIfMissing(error: unknown) {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
