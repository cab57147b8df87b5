import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { JOURNAL } from '../../../kernel/event-keys.ts'
import { digestOf, writeDigested } from '../../../kernel/storage/digest.ts'
import { nullIfMissing } from '../../../kernel/storage/disk.ts'
import type { StoredEntry } from '../../../kernel/storage/storage.ts'
import { type Contents, filesKey, objectKey, readManifest } from './manifest.ts'
import { type Place, putVerified } from './place.ts'
import { houseTrust, refuseUntrusted } from './signature.ts'

const line = z.object({ key: z.string(), size: z.int(), sha256: z.string() })
export type FileLine = z.infer<typeof line>

/** Files copied at the same time: one that waits for the disk holds none of the others up. */
const AT_ONCE = 4

interface Limits {
  /** Entries of the journal that were there before the rows were read: later ones name events that the copy lacks. */
  journal: ReadonlySet<string>
  signal: AbortSignal | undefined
}
/**
 * Copies every stored object that the place does not have yet, under its SHA-256, and the list of all. An object is
 * never changed under its key, so that one of the last backup is not read again.
 */
export async function copyFiles(ctx: Ctx, place: Place, id: string, { journal, signal }: Limits) {
  const present = new Map<string, number>()
  for await (const { key, size } of place.storage.list('objects')) present.set(key, size)
  const known = await knownFiles(ctx, place)
  const sum = { count: 0, bytes: 0, copied: 0 }

  return place.within(async (dir) => {
    /** The SHA-256 of the object, which is in the place afterwards; null when there is no such object any more. */
    async function copyFile(key: string) {
      const body = await ctx.storage.read(key).catch(nullIfMissing)
      if (!body) return null
      const path = join(dir, randomUUID())
      const digest = await writeDigested(body, path)
      const target = objectKey(digest.sha256)
      if (present.get(target) === digest.size) {
        await rm(path)
        return digest.sha256
      }
      // Another of the same bytes is not copied meanwhile.
      present.set(target, digest.size)
      await putVerified(place, target, path, digest)
      sum.copied++
      return digest.sha256
    }
    async function lineOf({ key, size }: StoredEntry) {
      if (key.startsWith('doutor/') || (key.startsWith(`${JOURNAL}/`) && !journal.has(key))) return []
      const before = known.get(key)
      const isKept =
        before !== undefined && before.size === size && present.get(objectKey(before.sha256)) === size
      const sha256 = isKept ? before.sha256 : await copyFile(key)
      // Deleted since it was listed.
      if (sha256 === null) return []
      sum.count++
      sum.bytes += size
      return [`${JSON.stringify({ key, size, sha256 } satisfies FileLine)}\n`]
    }
    const lines = Readable.from(ctx.storage.list()).flatMap(lineOf, { concurrency: AT_ONCE })
    const path = join(dir, 'files')
    await pipeline(lines, createGzip(), createWriteStream(path, { mode: 0o600 }), {
      ...(signal && { signal }),
    })
    const { sha256 } = await putVerified(place, filesKey(id), path)
    return { files: { count: sum.count, bytes: sum.bytes, sha256 }, copied: sum.copied }
  })
}

/**
 * Lists the files of the newest backup if this installation signed it. Files from any other list are read again before
 * they are signed.
 */
async function knownFiles(ctx: Ctx, place: Place) {
  const known = new Map<string, FileLine>()
  // Anything else costs only the time to read all files again.
  try {
    const manifest = await readManifest(place)
    refuseUntrusted(manifest, houseTrust(ctx))
    const { id, files } = manifest.contents
    if ((await digestOf(await place.storage.read(filesKey(id)))).sha256 !== files.sha256) return known
    for await (const file of listedFiles(place, id)) known.set(file.key, file)
  } catch {
    known.clear()
  }
  return known
}

/** The files of a backup. */
export async function* listedFiles(place: Place, id: string): AsyncGenerator<FileLine> {
  const stored = await place.storage.read(filesKey(id))
  const unpacked = createGunzip()
  const piped = pipeline(stored, unpacked)
  piped.catch(() => undefined)
  for await (const text of createInterface({ input: unpacked })) yield line.parse(JSON.parse(text))
  await piped
}

/** Brings back the files of a backup that the storage does not have; none is replaced. Throws for a damaged one. */
export async function bringBackFiles(ctx: Ctx, place: Place, { id }: Contents) {
  let count = 0
  for await (const { key, size, sha256 } of listedFiles(place, id)) {
    if ((await ctx.storage.size(key)) === size) continue
    await ctx.scratch.within('restore', async (dir) => {
      const [path, whole] = [join(dir, 'part'), join(dir, 'file')]
      const read = await writeDigested(await place.storage.read(objectKey(sha256)), path)
      if (read.sha256 !== sha256)
        throw new Error(`O arquivo ${key} está danificado no backup (${objectKey(sha256)}).`)
      await rename(path, whole)
      await ctx.storage.moveIn(key, whole)
    })
    count++
  }
  return count
}
