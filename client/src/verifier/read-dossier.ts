import type { HashedFile } from '@garantia/shared/dossier/file-changes'
import { MANIFEST, SEAL_FILES, STAMP } from '@garantia/shared/dossier/proof'
import {
  openSealedArchive,
  readPieces,
  type SealedEntry,
  Unreadable,
} from '@garantia/shared/dossier/sealed-archive'
import type { DossierContents } from '@garantia/shared/dossier/verify'
import { buf } from 'crc-32'
import { hashOf } from './cryptography.ts'

/** The chosen or dropped files, read later, and the time-stamp among them. */
export interface Chosen {
  /** Names are relative to the folder of the manifest, with «/» between folders. */
  files: readonly SealedEntry[]
  stamp: Blob | null
  isArchive: boolean
}

const crc32 = (bytes: Uint8Array, before: number) => buf(bytes, before) >>> 0

/** Opens a ZIP with its time-stamp. Throws Unreadable unless the product wrote the ZIP. */
export const openZip = async (zip: Blob, stamp: Blob | null): Promise<Chosen> => ({
  files: await openSealedArchive(zip, crc32),
  stamp,
  isArchive: true,
})

/** The files of a folder that was chosen or dropped; what systems leave in folders is no part of a dossier. */
export function openFolder(found: readonly { path: string; file: File }[]): Chosen {
  const files = found.filter(({ path }) => !/(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path))
  const folder = folderOf(files.map(({ path }) => path))
  const named = files.map(({ path, file }) => ({
    name: path.startsWith(folder) ? path.slice(folder.length) : path,
    file,
  }))
  return {
    files: named
      .filter(({ name }) => !isStamp(name))
      .map(({ name, file }) => ({ name, size: file.size, read: () => readPieces(file) })),
    stamp: onlyStamp(named.filter(({ name }) => isStamp(name)).map(({ file }) => file)),
    isArchive: false,
  }
}

/** Also as it is called when it was downloaded: after the order. */
const isStamp = (name: string) => name === STAMP || /^os_[^/]+_manifesto\.json\.tsr$/.test(name)

/** Throws Unreadable when there are several. */
export function onlyStamp(stamps: readonly Blob[]): Blob | null {
  if (stamps.length > 1) throw new Unreadable('Há mais de um carimbo de tempo: escolha um de cada vez.')
  return stamps[0] ?? null
}

const SMALL_BYTES = 64 * 1024 * 1024

/**
 * Hashes every file, one in memory at a time or, of large ones, a piece of it, and keeps the bytes of the small ones
 * that prove the others. Throws Unreadable when a file cannot be read to its end.
 */
export async function readDossier(
  { files, stamp, isArchive }: Chosen,
  onProgress: (fraction: number, name: string) => void,
): Promise<DossierContents & { stamp: Uint8Array | null }> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const kept = new Map<string, Uint8Array>()
  const hashed: HashedFile[] = []
  let done = 0
  for (const file of files) {
    const { name, size } = file
    try {
      if (SEAL_FILES.some((one) => one === name) && size <= SMALL_BYTES) kept.set(name, await wholeOf(file))
      const sha256 = await hashOf(file, (length) => {
        done += length
        onProgress(total === 0 ? 1 : Math.min(1, done / total), name)
      })
      hashed.push({ name, sha256 })
    } catch (error) {
      throw error instanceof Unreadable
        ? error
        : new Unreadable(`${name} não pode ser lido até o fim (${error}).`)
    }
  }
  return {
    files: hashed,
    isArchive,
    bytesOf: (name) => kept.get(name) ?? null,
    stamp: stamp && new Uint8Array(await stamp.arrayBuffer()),
  }
}

async function wholeOf(file: SealedEntry) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of file.read()) pieces.push(piece)
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

/** The shallowest folder with a manifest; the root when there is none. */
function folderOf(paths: readonly string[]) {
  const manifests = paths.filter((path) => path.split('/').at(-1) === MANIFEST)
  const [first = ''] = manifests.sort((a, b) => a.split('/').length - b.split('/').length)
  return first.slice(0, first.lastIndexOf('/') + 1)
}
