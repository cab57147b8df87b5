import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchiveEntry } from '@garantia/server/features/evidence/package'
import { ZipArchive } from 'archiver'

/** Owner and all may read. */
const MODE = 0o644
/** Nothing of photos and videos is left to compress. */
const UNCOMPRESSED = { zlib: { level: 0, chunkSize: 1 << 20 } }
/**
 * archiver writes sizes and checksums of streams behind their bytes, and readers of streams (java.util.zip) accept that
 * of deflated entries only. At level 0 it stores what does not say otherwise.
 */
const DEFLATED = { store: false, mode: MODE }

/**
 * Writes the entries as a ZIP (how: the newest of ARCHIVE_LAYOUTS, by which dossiers are verified), one after the other; each is asked for when the last is written. Fails with the
 * error of an entry or of the disk.
 */
export async function writeArchive(
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
  path: string,
  signal: AbortSignal,
) {
  const archive = new ZipArchive(UNCOMPRESSED)
  const written = pipeline(archive, createWriteStream(path, { mode: 0o600 }), { signal })
  const appendAll = async () => {
    for await (const { name, at, read } of entries) {
      // archiver opens all that is appended, so the next is appended when this one is written.
      const isWritten = once(archive, 'entry', { signal })
      const source = Readable.from(read(), { objectMode: false })
      // archiver does not hear of it: it reads a copy of the stream.
      source.once('error', (error) => archive.destroy(error))
      archive.append(source, { ...DEFLATED, name, date: at })
      await isWritten.finally(() => source.destroy())
    }
    await archive.finalize()
  }
  const appended = appendAll().catch((error: unknown) => {
    // An entry that could not be had: the file is not waited for.
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  })
  await Promise.all([appended, written])
}
