import { ARCHIVE_LAYOUTS, type ArchivedEntry, bytesOf, type Fields, type Layout } from './archive-layout.ts'

/** Bytes of which pieces can be read: a `Blob`, or a file in Node (whose `openAsBlob` loses sizes over 4 GB). */
export interface Pieces {
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** CRC-32 of `bytes` as it follows `before`, the CRC-32 of the bytes ahead of them (0 at first); unsigned. */
export type Crc32 = (bytes: Uint8Array, before: number) => number

/** A file in the ZIP of a dossier. */
export interface SealedEntry {
  name: string
  /** In bytes. */
  size: number
  /** Its bytes, a piece at a time; throws Unreadable when they are not those that the ZIP says. */
  read(): AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** What stops the reading of a dossier: a heading and a sentence for the person. */
export class Unreadable extends Error {
  readonly title: string
  constructor(message: string, title = 'Não foi possível conferir') {
    super(message)
    this.title = title
  }
}

const AGAIN = 'Baixe-o de novo antes de concluir que foi adulterado.'
const damaged = () =>
  new Unreadable(
    `O ZIP está danificado ou incompleto, ou tem bytes depois do fim: não pode ser lido até o fim. ${AGAIN}`,
  )
const changed = (what: string) =>
  new Unreadable(
    `${what} Desse ZIP, outros programas poderiam extrair arquivos que não são os selados. Peça-o de novo a quem selou o dossiê; para conferir arquivos já extraídos, escolha a pasta.`,
    'O ZIP não está como o Garantia o escreve',
  )

const PIECE_BYTES = 1 << 22
/** Headers of some hundred thousand entries. */
const DIRECTORY_BYTES = 1 << 26
const END_BYTES = 22
/** With what ZIP64 puts before it. */
const LONG_END_BYTES = 98

/** What lies between two offsets, some megabytes at a time. */
export async function* readPieces(from: Pieces, start = 0, end = from.size) {
  for (let at = start; at < end; at += PIECE_BYTES)
    yield new Uint8Array(await from.slice(at, Math.min(end, at + PIECE_BYTES)).arrayBuffer())
}

const readAt = async (from: Pieces, start: number, end: number) =>
  new Uint8Array(await from.slice(start, end).arrayBuffer())

/**
 * The files of a dossier's ZIP, in its order, without reading their bytes. Every other byte is compared with what the
 * product writes around such files, so that no reader of ZIPs can find anything else in it: throws Unreadable for a
 * gap, an overlap, bytes before or behind, a comment, a field that is not ours, or a name that occurs twice.
 */
export async function openSealedArchive(zip: Pieces, crc32: Crc32): Promise<SealedEntry[]> {
  const start = directoryStart(await readAt(zip, Math.max(0, zip.size - LONG_END_BYTES), zip.size))
  if (start > zip.size) throw damaged()
  if (zip.size - start > DIRECTORY_BYTES) throw changed('O índice do ZIP é maior do que o de um dossiê.')
  const tail = await readAt(zip, start, zip.size)
  const entries = readDirectory(tail)
  const layout = ARCHIVE_LAYOUTS.find((one) => isSame(tail, directoryIn(one, entries, start)))
  if (!layout)
    throw changed(
      'O índice do ZIP não é dos que o Garantia escreve: há nele, antes dele ou depois dele algo a mais ou a menos.',
    )
  const seen = new Set<string>()
  for (const { name } of entries) {
    if (seen.has(name)) throw changed(`${name} aparece mais de uma vez no ZIP.`)
    seen.add(name)
  }
  return placesIn(zip, layout, entries, crc32)
}

/** Compares what surrounds each file with the entry in the directory. */
async function placesIn(zip: Pieces, layout: Layout, entries: readonly ArchivedEntry[], crc32: Crc32) {
  const places: SealedEntry[] = []
  let at = 0
  const expect = async (fields: Fields, name: string) => {
    const bytes = bytesOf(fields)
    if (!isSame(await readAt(zip, at, at + bytes.length), bytes))
      throw changed(`O que há no ZIP junto de ${name} não confere com o índice.`)
    at += bytes.length
  }
  for (const entry of entries) {
    const { name, size, packed } = entry
    await expect(layout.before(entry), name)
    const place = at
    places.push({ name, size, read: () => contentOf(zip, layout, entry, place, crc32) })
    at += packed
    await expect(layout.behind(entry), name)
  }
  return places
}

/** Directory and end records that the layout has for these entries; null when they would begin elsewhere. */
function directoryIn(layout: Layout, entries: readonly ArchivedEntry[], start: number) {
  let offset = 0
  const parts = entries.map((entry) => {
    const header = bytesOf(layout.listed(entry, offset))
    offset += bytesOf(layout.before(entry)).length + entry.packed + bytesOf(layout.behind(entry)).length
    return header
  })
  if (offset !== start) return null
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  return bytesOf([...parts, ...layout.end(entries.length, size, start)])
}

const isSame = (one: Uint8Array, other: Uint8Array | null) =>
  one.length === other?.length && one.every((byte, place) => byte === other[place])
const viewOf = ({ buffer, byteOffset, length }: Uint8Array) => new DataView(buffer, byteOffset, length)
const number64 = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

/** Where the directory begins, as the last bytes of the ZIP say; whether they are right is seen by comparing. */
function directoryStart(last: Uint8Array) {
  const view = viewOf(last)
  const end = last.length - END_BYTES
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw damaged()
  const isLong = last.length === LONG_END_BYTES && view.getUint32(0, true) === 0x06064b50
  return isLong ? number64(view, 48) : view.getUint32(end + 16, true)
}

const LISTED_BYTES = 46
const FULL = 0xffffffff

/** What differs from entry to entry in a directory; everything else in it follows from that and the layout. */
function readDirectory(bytes: Uint8Array): ArchivedEntry[] {
  const view = viewOf(bytes)
  const entries: ArchivedEntry[] = []
  for (let at = 0; at + LISTED_BYTES <= bytes.length && view.getUint32(at, true) === 0x02014b50; ) {
    const named = at + LISTED_BYTES + view.getUint16(at + 28, true)
    const next = named + view.getUint16(at + 30, true)
    if (next > bytes.length) break
    const raw_name = bytes.subarray(at + LISTED_BYTES, named)
    const extra = viewOf(bytes.subarray(named, next))
    // ZIP64's field is first, with size and bytes in the ZIP as its first numbers.
    const isLong = view.getUint32(at + 24, true) === FULL && extra.byteLength >= 20
    const size = isLong ? number64(extra, 4) : view.getUint32(at + 24, true)
    const packed = isLong ? number64(extra, 12) : view.getUint32(at + 20, true)
    entries.push({
      name: nameOf(raw_name),
      raw_name,
      dos_time: view.getUint32(at + 12, true),
      crc32: view.getUint32(at + 16, true),
      size,
      packed,
      unix_time: extra.byteLength < 4 ? 0 : extra.getUint32(extra.byteLength - 4, true),
    })
    at = next
  }
  return entries
}

/** From UTF-8, strictly, and with a byte order mark as what it is: another name. */
function nameOf(bytes: Uint8Array) {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    throw changed('Há no ZIP um nome que não está em UTF-8.')
  }
}

async function* contentOf(
  zip: Pieces,
  { isDeflated }: Layout,
  { name, size, packed, crc32: expected }: ArchivedEntry,
  start: number,
  crc32: Crc32,
) {
  const problem = changed(`${name} não pode ser lido até o fim: os bytes não são os que o ZIP anuncia.`)
  const pieces = readPieces(zip, start, start + packed)
  let [crc, length] = [0, 0]
  for await (const piece of isDeflated ? withoutBlocks(pieces, problem) : pieces) {
    crc = crc32(piece, crc)
    length += piece.length
    yield piece
  }
  if (crc !== expected || length !== size) throw problem
}

/**
 * The bytes in the stored blocks of Deflate (RFC 1951, 3.2.4), which are all that its level 0 makes. Not by a library:
 * those pass over bytes behind the last block, or inflate what the product did not write.
 */
async function* withoutBlocks(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>, problem: Unreadable) {
  const head: number[] = []
  let [left, isLast] = [0, false]
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      if (left > 0) {
        const part = piece.subarray(at, at + left)
        yield part
        at += part.length
        left -= part.length
      } else if (isLast || head.push(piece[at++] ?? 0) === 5) {
        const [kind = 0, low = 0, high = 0, other_low = 0, other_high = 0] = head.splice(0)
        if (isLast || kind > 1 || (low ^ other_low) !== 0xff || (high ^ other_high) !== 0xff) throw problem
        left = low | (high << 8)
        isLast = kind === 1
      }
    }
  }
  if (!isLast || left > 0 || head.length > 0) throw problem
}
