import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { SEAL_FILES } from '@garantia/shared/dossier/proof'
import { openSealedArchive, type Pieces, Unreadable } from '@garantia/shared/dossier/sealed-archive'
import { type DossierContents, type Verification, verifyDossier } from '@garantia/shared/dossier/verify'
import { nodeCryptography } from './node-cryptography.ts'

/** A file of any size, read a piece at a time; to be closed. */
export async function piecesOf(path: string): Promise<Pieces & AsyncDisposable> {
  const file = await open(path)
  return {
    size: (await file.stat()).size,
    slice: (start, end) => ({
      async arrayBuffer() {
        const { buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start)
        return buffer.buffer
      },
    }),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** The files of a sealed dossier, at a path or in memory. Throws Unreadable. */
export async function openSealed(zip: string | Buffer<ArrayBuffer>) {
  const bytes = typeof zip === 'string' ? await readFile(zip) : zip
  const entries = await openSealedArchive(new Blob([bytes]), crc32)
  const files = new Map<string, Buffer>()
  for (const { name, read } of entries) {
    const pieces: Uint8Array[] = []
    for await (const piece of read()) pieces.push(piece)
    files.set(name, Buffer.concat(pieces))
  }
  return files
}

/** As verificar.html reads them. */
export const contentsIn = (files: ReadonlyMap<string, Buffer>, isArchive: boolean): DossierContents => ({
  files: [...files].map(([name, bytes]) => ({
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })),
  isArchive,
  bytesOf: (name) => (SEAL_FILES.includes(name) ? (files.get(name) ?? null) : null),
})

/** What verification says of a ZIP, or the sentence that refuses it. */
export async function judged(
  zip: string | Buffer<ArrayBuffer>,
  house_keys: readonly string[],
): Promise<Verification | string> {
  try {
    return verifyDossier(contentsIn(await openSealed(zip), true), house_keys, nodeCryptography)
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}
