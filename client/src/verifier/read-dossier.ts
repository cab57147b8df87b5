import type { HashedFile } from '@garantia/shared/dossier/file-changes'
import { MANIFEST, SEAL_FILES, STAMP } from '@garantia/shared/dossier/proof'
import type { DossierContents } from '@garantia/shared/dossier/verify'
import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'
import { hashOf } from './cryptography.ts'

/** A file of the dossier before it is read. */
export interface Source {
  /** With «/» between folders. */
  name: string
  size: number
  open(): ReadableStream<Uint8Array>
}

/** What stops the reading: a sentence for the person. */
export class Unreadable extends Error {}

const DAMAGED =
  'O ZIP está danificado ou incompleto: não pode ser lido até o fim. Baixe-o de novo antes de concluir que foi adulterado.'

/** The files of a ZIP, without reading their bytes. Throws Unreadable for what is no ZIP. */
export async function openZip(zip: Blob): Promise<Source[]> {
  configure({ useWebWorkers: false })
  try {
    const entries = await new ZipReader(new BlobReader(zip)).getEntries()
    return entries.filter((entry): entry is FileEntry => !entry.directory).map(sourceOf)
  } catch {
    throw new Unreadable(DAMAGED)
  }
}

const sourceOf = (entry: FileEntry): Source => ({
  name: entry.filename,
  size: entry.uncompressedSize,
  open() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    // Its failure reaches the reader through the stream.
    entry.getData(writable, { checkSignature: true }).catch((error) => writable.abort(error).catch(() => {}))
    return readable
  },
})

/** The files of a folder that was chosen or dropped; what systems leave in folders is no part of a dossier. */
export const openFolder = (files: readonly { path: string; file: File }[]): Source[] =>
  files
    .filter(({ path }) => !/(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path))
    .map(({ path, file }) => ({ name: path, size: file.size, open: () => file.stream() }))

const SMALL_BYTES = 64 * 1024 * 1024

/**
 * Hashes every file, one in memory at a time or, of large ones, a piece of it, and keeps the bytes of the small ones
 * that prove the others. Names are relative to the folder of the manifest. Throws Unreadable when a file cannot be read
 * to its end.
 */
export async function readDossier(
  sources: readonly Source[],
  onProgress: (fraction: number, name: string) => void,
): Promise<DossierContents> {
  const folder = folderOf(sources)
  const total = sources.reduce((sum, { size }) => sum + size, 0)
  const kept = new Map<string, Uint8Array>()
  const files: HashedFile[] = []
  let done = 0
  for (const source of sources) {
    const name = nameIn(folder, source.name)
    try {
      if (isOfSeal(name) && source.size <= SMALL_BYTES)
        kept.set(name, new Uint8Array(await new Response(source.open()).arrayBuffer()))
      const sha256 = await hashOf(source, (length) => {
        done += length
        onProgress(total === 0 ? 1 : Math.min(1, done / total), name)
      })
      files.push({ name, sha256 })
    } catch {
      throw new Unreadable(`${name} não pode ser lido até o fim. ${DAMAGED}`)
    }
  }
  return { files, bytesOf: (name) => kept.get(name) ?? null }
}

const isOfSeal = (name: string) => name === STAMP || SEAL_FILES.some((one) => one === name)

/** Within the dossier; a stamp that was saved beside it bears the name of the order before its own. */
function nameIn(folder: string, path: string) {
  const name = path.startsWith(folder) ? path.slice(folder.length) : path
  return /^os_[^/]+_manifesto\.json\.tsr$/.test(name) ? STAMP : name
}

/** The shallowest folder with a manifest; the root when there is none. */
function folderOf(sources: readonly Source[]) {
  const manifests = sources.map(({ name }) => name).filter((name) => name.split('/').at(-1) === MANIFEST)
  const [first = ''] = manifests.sort((a, b) => a.split('/').length - b.split('/').length)
  return first.slice(0, first.lastIndexOf('/') + 1)
}
