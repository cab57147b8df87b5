import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { conflict } from '@garantia/shared/errors'
import { ZipArchive } from 'archiver'
import type { Ctx } from '../../kernel/context.ts'
import type { ByteRange } from '../../kernel/storage/storage.ts'
import { layOut, readZip } from '../../kernel/zip.ts'
import { type EvidenceRow, liveFiles } from '../evidence/service.ts'
import { readOrder } from '../orders/service.ts'

interface PackagedFile {
  key: string
  name: string
  size: number
  sha256: string
  at: Date
  row: EvidenceRow
}
export interface Package {
  filename: string
  files: PackagedFile[]
  /** Text files that prove the rest, in the order they are written. */
  papers: { name: string; text: string }[]
}

/**
 * The package of an order: its converted files under their final names, a manifest that ties each to its
 * untouched original, and SHA256SUMS for `sha256sum -c`. Everything is checked before the first byte is
 * sent, because a stream that has begun can only break off.
 */
export async function readPackage(ctx: Ctx, order_id: number, originals = false): Promise<Package> {
  const order = await readOrder(ctx, order_id)
  const rows = await liveFiles(ctx, order_id)
  const files = originals ? asSent(rows) : rows.flatMap(packaged)
  if (files.length === 0) throw conflict(originals ? NO_FILES : NO_COPIES)
  const sizes = await Promise.all(files.map((file) => ctx.storage.size(file.key)))
  const lost = files.filter((file, index) => sizes[index] !== file.size)
  if (lost.length > 0)
    throw conflict(
      `Arquivo ausente ou alterado no armazenamento: ${lost.map((file) => file.name).join(', ')}. ${originals ? 'Envie-o' : 'Converta-o'} de novo.`,
    )
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
      { name: 'SHA256SUMS', text: sums.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('') },
    ],
  }
}

const NO_COPIES = 'Nenhum arquivo convertido para baixar.'
const NO_FILES = 'Nenhuma evidência enviada.'

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

function packaged(row: EvidenceRow): PackagedFile[] {
  const {
    status,
    converted_key: key,
    converted_filename: name,
    converted_size: size,
    converted_sha256: sha256,
  } = row
  if (status !== 'converted' || !key || !name || !size || !sha256) return []
  return [{ key, name, size, sha256, at: row.finished_at ?? row.uploaded_at, row }]
}

/** Originals under the names people gave them; a name that comes twice is counted. */
function asSent(rows: EvidenceRow[]): PackagedFile[] {
  const taken = new Set<string>()
  return rows.map((row) => {
    const name = freeName(row.original_filename, taken)
    taken.add(name.toLowerCase())
    const { original_key: key, file_size: size, sha256, uploaded_at: at } = row
    return { key, name, size, sha256, at, row }
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
  files: files.map(({ name, size, sha256, row }) => ({
    name,
    size,
    sha256,
    file_type: row.file_type,
    category: row.evidence_category,
    description: row.description,
    captured_at: row.captured_at?.toISOString() ?? null,
    uploaded_at: row.uploaded_at.toISOString(),
    original: { filename: row.original_filename, size: row.file_size, sha256: row.sha256 },
  })),
})

const newest = (files: readonly PackagedFile[]) => new Date(Math.max(...files.map(({ at }) => at.getTime())))

/** The package as one file of known length, tag and ranges. */
export async function openPackage(ctx: Ctx, order_id: number, originals = false) {
  const { filename, files, papers } = await readPackage(ctx, order_id, originals)
  const at = newest(files)
  const layout = layOut([
    ...files.map(({ key, name, size, at, row }) => ({
      name,
      at,
      size,
      crc32: Number(originals ? row.crc32 : row.converted_crc32),
      source: key,
    })),
    ...papers.map(({ name, text }) => {
      const source = Buffer.from(text)
      return { name, at, size: source.length, crc32: crc32(source), source }
    }),
  ])
  return {
    filename,
    mime: 'application/zip',
    size: layout.size,
    etag: layout.etag,
    read: async (range?: ByteRange) => readZip(ctx.storage, layout, range),
  }
}

/**
 * Streams the package as a ZIP without compression: media does not shrink, and storing costs no time.
 * One source is open at a time; when the reader goes away, that one is closed and nothing more is read.
 */
export function writeZip(ctx: Ctx, { files, papers }: Package): Readable {
  const zip = new ZipArchive({ store: true, highWaterMark: 1 << 20 })
  zip.on('warning', (error) => zip.destroy(error))
  void fill().catch((error: Error) => zip.destroy(error))
  return zip

  async function fill() {
    for (const file of files) {
      if (zip.destroyed) return
      await add(await ctx.storage.read(file.key), file.name, file.at)
    }
    const newest = new Date(Math.max(...files.map((file) => file.at.getTime())))
    for (const { name, text } of papers) await add(text, name, newest)
    await zip.finalize()
  }

  async function add(source: Readable | string, name: string, date: Date) {
    const gone = () => typeof source !== 'string' && source.destroy()
    zip.once('close', gone)
    const waiting = new AbortController()
    const written = Promise.race(
      ['entry', 'close'].map((event) => once(zip, event, { signal: waiting.signal })),
    )
    zip.append(source, { name, date })
    await written
    // Listeners of the event that did not come would pile up, file by file.
    waiting.abort()
    zip.off('close', gone)
  }
}
