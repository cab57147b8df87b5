import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { SubjectArchive } from '@garantia/server/features/records/privacy'
import { writeArchive } from './archive.ts'
import { writeSubjectCover } from './subject-cover.ts'

/** Writes the data of a person as a ZIP: the cover, then what the archive names; `dir` takes temporary files. */
export async function writeSubjectArchive(
  { cover, entries }: SubjectArchive,
  dir: string,
  path: string,
  signal: AbortSignal,
) {
  const pdf = join(dir, 'resposta.pdf')
  await writeSubjectCover(cover, pdf)
  async function* all() {
    yield { name: 'resposta.pdf', at: cover.at, read: () => createReadStream(pdf) }
    yield* entries
  }
  await writeArchive(all(), path, signal)
}
