import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { conflict } from '@garantia/shared/errors'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { ZipArchive } from 'archiver'
import type { Ctx } from '../../kernel/context.ts'
import { type EvidenceRow, liveFiles } from '../evidence/service.ts'
import { readOrder } from '../orders/service.ts'

/** What the ZIP writer needs of a file; a package knows more. */
export interface ZippedFile {
  key: string
  name: string
  at: Date
}
export interface PackagedFile extends ZippedFile {
  size: number
  sha256: string
  row: EvidenceRow
}
export interface Zipped {
  files: readonly ZippedFile[]
  /** Text files that prove the rest, in the order they are written. */
  papers: readonly { name: string; text: string }[]
}
export interface Package extends Zipped {
  filename: string
  files: PackagedFile[]
}

/**
 * The package of an order: its converted files under their final names, a manifest that ties each to its
 * untouched original, and SHA256SUMS for `sha256sum -c`. Everything is checked before the first byte is
 * sent, because a stream that has begun can only break off.
 */
export async function readPackage(ctx: Ctx, order_id: number): Promise<Package> {
  const order = await readOrder(ctx, order_id)
  const files = packagedFiles(await liveFiles(ctx, order_id))
  if (files.length === 0) throw conflict('Nenhum arquivo convertido para baixar.')
  await refuseLost(ctx, files)
  const manifest = `${JSON.stringify(manifestOf(order, files, ctx.clock()), null, 2)}\n`
  const sums = [
    ...files.map(({ sha256, name }) => ({ sha256, name })),
    { sha256: sha256Of(manifest), name: 'manifesto.json' },
  ]
  return {
    filename: `os_${order_id}_evidencias.zip`,
    files,
    papers: [
      { name: 'manifesto.json', text: manifest },
      { name: 'SHA256SUMS', text: sumsOf(sums) },
    ],
  }
}

/** The converted files of an order; retention may have taken them. */
export function packagedFiles(rows: readonly EvidenceRow[]): PackagedFile[] {
  if (rows.some((row) => row.purged_at)) throw conflict(EXPIRED_FILE)
  return rows.flatMap(packaged)
}

export async function refuseLost(ctx: Ctx, files: readonly PackagedFile[]) {
  const sizes = await Promise.all(files.map((file) => ctx.storage.size(file.key)))
  const lost = files.filter((file, index) => sizes[index] !== file.size)
  if (lost.length > 0)
    throw conflict(
      `Arquivo ausente ou alterado no armazenamento: ${lost.map((file) => file.name).join(', ')}. Converta-o de novo.`,
    )
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
  } = row
  if (status !== 'converted' || !key || !name || !size || !sha256) return []
  return [{ key, name, size, sha256, at: row.finished_at ?? row.uploaded_at, row }]
}

const manifestOf = (order: Awaited<ReturnType<typeof readOrder>>, files: PackagedFile[], now: Date) => ({
  generated_at: now.toISOString(),
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

/**
 * Streams the package as a ZIP without compression: media does not shrink, and storing costs no time.
 * One source is open at a time; when the reader goes away, that one is closed and nothing more is read.
 */
export function writeZip(ctx: Ctx, { files, papers }: Zipped): Readable {
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
