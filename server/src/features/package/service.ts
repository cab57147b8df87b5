import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { conflict } from '@garantia/shared/errors'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import type { Ctx } from '../../kernel/context.ts'
import type { ByteRange } from '../../kernel/storage/storage.ts'
import { layOut, type ZipLayout } from '../../kernel/zip.ts'
import { ChangedObject, readZip } from '../../kernel/zip-read.ts'
import { type EvidenceRow, liveFiles } from '../evidence/service.ts'
import { readOrder } from '../orders/service.ts'

/** What a ZIP needs of a stored file; a package knows more. */
interface ZippedFile {
  key: string
  name: string
  size: number
  crc32: number
  at: Date
}
export interface PackagedFile extends ZippedFile {
  sha256: string
  row: EvidenceRow
}
/** A text file that proves the rest. */
interface Paper {
  name: string
  text: string
}
interface Package {
  filename: string
  files: PackagedFile[]
  papers: Paper[]
}

/**
 * The package of an order: its converted files under their final names, a manifest that ties each to its
 * untouched original, and SHA256SUMS for `sha256sum -c`. Everything is checked before the first byte is
 * sent, because a stream that has begun can only break off.
 */
export async function readPackage(ctx: Ctx, order_id: number, originals = false): Promise<Package> {
  const order = await readOrder(ctx, order_id)
  const rows = await liveFiles(ctx, order_id)
  const files = originals ? asSent(rows) : packagedFiles(rows)
  if (files.length === 0) throw conflict(originals ? NO_FILES : NO_COPIES)
  await refuseLost(ctx, files, originals ? 'Envie-o' : 'Converta-o')
  const manifest = `${JSON.stringify(manifestOf(order, files), null, 2)}\n`
  const sums = [
    ...files.map(({ sha256, name }) => ({ sha256, name })),
    { sha256: sha256Of(manifest), name: 'manifesto.json' },
  ]
  return {
    filename: `os_${order_id}_${originals ? 'originais' : 'evidencias'}.zip`,
    files,
    papers: [
      { name: 'manifesto.json', text: manifest },
      { name: 'SHA256SUMS', text: sumsOf(sums) },
    ],
  }
}

const NO_COPIES = 'Nenhum arquivo convertido para baixar.'
const NO_FILES = 'Nenhuma evidência enviada.'

/** Retention may have taken the bytes of an order. */
function refuseExpired(rows: readonly EvidenceRow[]) {
  if (rows.some((row) => row.purged_at)) throw conflict(EXPIRED_FILE)
}

/** The converted files of an order. */
export function packagedFiles(rows: readonly EvidenceRow[]): PackagedFile[] {
  refuseExpired(rows)
  return rows.flatMap(packaged)
}

export async function refuseLost(ctx: Ctx, files: readonly PackagedFile[], remedy = 'Converta-o') {
  const sizes = await Promise.all(files.map((file) => ctx.storage.size(file.key)))
  const lost = files.filter((file, index) => sizes[index] !== file.size)
  if (lost.length > 0)
    throw namingLost(
      lost.map((file) => file.name),
      remedy,
    )
}
const namingLost = (names: readonly string[], remedy = 'Converta-o') =>
  conflict(`Arquivo ausente ou alterado no armazenamento: ${names.join(', ')}. ${remedy} de novo.`)

/** What went wrong while a package was read; a copy that is not what was recorded gets its name. */
export function inWords(error: unknown, files: readonly PackagedFile[]) {
  const lost = error instanceof ChangedObject && files.find(({ key }) => key === error.key)
  return lost ? namingLost([lost.name]) : error
}

/** As `sha256sum -c` reads it. */
export const sumsOf = (files: readonly { sha256: string; name: string }[]) =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('')

export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

function packaged(row: EvidenceRow): PackagedFile[] {
  const {
    status,
    converted_key: key,
    converted_filename: name,
    converted_size: size,
    converted_sha256: sha256,
    converted_crc32: crc32,
  } = row
  if (status !== 'converted' || !key || !name || !size || !sha256 || crc32 === null) return []
  return [{ key, name, size, sha256, crc32, at: row.finished_at ?? row.uploaded_at, row }]
}

/** Originals under the names people gave them; a name that comes twice is counted. */
function asSent(rows: EvidenceRow[]): PackagedFile[] {
  refuseExpired(rows)
  const taken = new Set<string>()
  return rows.map((row) => {
    const name = freeName(row.original_filename, taken)
    taken.add(name.toLowerCase())
    const { original_key: key, file_size: size, sha256, uploaded_at: at } = row
    return { key, name, size, sha256, crc32: row.crc32, at, row }
  })
}
function freeName(filename: string, taken: ReadonlySet<string>) {
  const dot = filename.lastIndexOf('.')
  const [stem, ext] = dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, '']
  for (let n = 1; ; n++) {
    const name = n === 1 ? filename : `${stem} (${n})${ext}`
    // Our own papers lie beside them.
    if (!taken.has(name.toLowerCase()) && !PAPERS.includes(name.toLowerCase())) return name
  }
}
const PAPERS = ['manifesto.json', 'sha256sums']

/** The moment is that of the newest file: a package that did not change is the same, byte for byte. */
const manifestOf = (order: Awaited<ReturnType<typeof readOrder>>, files: PackagedFile[]) => ({
  updated_at: newest(files).toISOString(),
  order: {
    id: order.id,
    os_number: order.os_number,
    brand: order.brand.display_name,
    company: order.company.trading_name,
    vehicle_chassis: order.vehicle_chassis,
    vehicle_plate: order.vehicle_plate,
    opened_at: order.opened_at,
  },
  files: files.map(manifestFile),
})

/** What a manifest says of a file, in a package and in a dossier. */
export const manifestFile = ({ name, size, sha256, row }: PackagedFile) => ({
  name,
  size,
  sha256,
  file_type: row.file_type,
  category: row.evidence_category,
  description: row.description,
  captured_at: row.captured_at?.toISOString() ?? null,
  uploaded_at: row.uploaded_at.toISOString(),
  original: { filename: row.original_filename, size: row.file_size, sha256: row.sha256 },
})

const newest = (files: readonly ZippedFile[]) => new Date(Math.max(...files.map(({ at }) => at.getTime())))

/** Files and papers as one ZIP, laid out before anything is read. */
export function layOutFiles(files: readonly ZippedFile[], papers: readonly Paper[]): ZipLayout {
  const at = newest(files)
  return layOut([
    ...files.map(({ key, ...file }) => ({ ...file, source: key })),
    ...papers.map(({ name, text }) => {
      const source = Buffer.from(text)
      return { name, at, size: source.length, crc32: crc32(source), source }
    }),
  ])
}

/** The package as one file of known length, tag and ranges. */
export async function openPackage(ctx: Ctx, order_id: number, originals = false) {
  const { filename, files, papers } = await readPackage(ctx, order_id, originals)
  const layout = layOutFiles(files, papers)
  return {
    filename,
    mime: 'application/zip',
    size: layout.size,
    etag: layout.etag,
    read: async (range?: ByteRange) => readZip(ctx.storage, layout, range),
  }
}
